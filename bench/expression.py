"""How fast a reply is spoken and shown, with everything warm: the first sound, the voice, the drawing, and a whole film.

Part of `make bench`, in a process of its own so that its memory is that of a user; alone: `python bench/expression.py`.
"""

import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from heartfelt.expression.embedded import FPS, EmbeddedFace, EmbeddedVoice
from heartfelt.expression.persona import persona_named
from heartfelt.expression.stage import Stage
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import compose
from heartfelt.expression.voice import joined

REPLY = "I am so glad that you told me. That was a hard day, and you do not have to carry it alone."
STYLE = Style(emotion="caring", intensity=0.8, tone="gentle")
PEOPLE = ("maya", "omar", "amara")
"""Long hair, a beard, and curls: who is slow to draw."""
REPEATS = 3

TARGETS: dict[str, Callable[[float], bool]] = {
    "drawing, seconds for a second of film, slowest of three people": lambda ratio: ratio <= 1,
    "film of a reply of 5 s, s": lambda seconds: seconds <= 12,
}


def measure() -> dict[str, Any]:
    stage = Stage(EmbeddedVoice(), EmbeddedFace())
    maya, voice = persona_named("maya"), stage.voice
    with tempfile.TemporaryDirectory() as folder:
        stage.write(stage.take("Hello there.", STYLE, maya), Path(folder) / "warm.mp4")  # everything is warm from here on
        firsts, voices, films = list[float](), list[float](), list[float]()
        for _ in range(REPEATS):
            began = time.perf_counter()
            stretches = voice.say(REPLY, STYLE, maya)
            first = next(stretches)
            firsts.append(time.perf_counter() - began)
            spoken = joined([first, *stretches])
            voices.append((time.perf_counter() - began) / spoken.seconds)
            began = time.perf_counter()
            take = stage.take(REPLY, STYLE, maya)
            stage.write(take, Path(folder) / "reply.mp4")
            films.append((time.perf_counter() - began) / take.spoken.seconds * 5)
        size = (Path(folder) / "reply.mp4").stat().st_size / take.spoken.seconds
    drawing = {name: _drawing(name, take.spoken) for name in PEOPLE}
    return {
        "speech, first sound after s": round(statistics.median(firsts), 2),
        "speech, seconds for a second of sound": round(statistics.median(voices), 2),
        "drawing, seconds for a second of film, slowest of three people": round(max(drawing.values()), 2),
        "drawing, seconds for a second of film": {name: round(ratio, 2) for name, ratio in drawing.items()},
        "film of a reply of 5 s, s": round(statistics.median(films), 1),
        "film, kB a second": round(size / 1000),
        "speech and film, resident MB at the peak": round(_peak()),
    }


def _peak() -> float:
    """Of this process alone: what `getrusage` says may be that of the process which started it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))) / 1024


def _drawing(name: str, spoken: Any) -> float:
    """Pictures alone, without their encoding."""
    face, persona = EmbeddedFace(), persona_named(name)
    timeline = compose(spoken, STYLE, persona)
    face.renderer(persona).frame(timeline.pose(0))
    began = time.perf_counter()
    count = sum(1 for _ in face.frames(timeline, persona))
    return (time.perf_counter() - began) / count * FPS


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
