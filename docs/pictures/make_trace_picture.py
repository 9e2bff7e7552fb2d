"""Make trace.png and trace-dark.png, the pictures of the README: python docs/pictures/make_trace_picture.py

The turn is Heartfelt's own, from the first step to the choice; only the model's words come from the script below, so that the
picture is the same every time. It needs a `chromium` on the PATH.
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from heartfelt import Dialogue, Listener, Setup, Trace, Turn
from heartfelt.models.scripted import Scripted
from heartfelt.models.seam import Completion, Request
from heartfelt.page import write_page

HERE = Path(__file__).parent
SIZE = (1280, 1968)
DIALOGUE = Dialogue(
    turns=(
        Turn(speaker="Mara", text="I finally switched phones this weekend."),
        Turn(speaker="Listener", text="That can be a big move. How has it been?"),
        Turn(
            speaker="Mara",
            text="Fine, until I noticed that Dad's last voicemail didn't come over. It was eleven seconds, just him saying "
            "he'd bought too many tomatoes. He died in March, and now I can't hear his voice anymore.",
        ),
    )
)
RIGHT = {"ok": "yes", "finding": "none", "instruction": "none"}
HASTY = {
    "ok": "no",
    "finding": "It hurries to a way out. Nothing she said asks for one.",
    "instruction": "Stay with the loss before anything else: those eleven seconds were her father's voice.",
}
ANSWERS = {
    "perceive": {
        "cues": [
            {
                "source": "words",
                "quote": "now I can't hear his voice anymore",
                "meaning": "the loss has happened a second time",
            },
            {"source": "words", "quote": "he'd bought too many tomatoes", "meaning": "tenderness for an ordinary moment"},
            {"source": "words", "quote": "Fine, until", "meaning": "it struck her out of a calm day"},
        ],
        "summary": "An old grief is suddenly fresh, because the last trace of a voice is gone.",
    },
    "forecast": {
        "why": "The recording was all that was left of his voice, and it is gone.",
        "emotion": "devastated",
        "conflict": "none",
    },
    "cause": {
        "spans": ["Dad's last voicemail didn't come over", "He died in March"],
        "summary": "The last recording of her late father was lost with the old phone.",
        "category": "Loss & Failure",
    },
    "plan": [
        {
            "why": "The voicemail may still be recoverable, so there is hope to offer.",
            "goal": "encourage",
            "stance": "coach",
            "tactic": "offering a perspective",
            "tone": "steady",
        },
        {
            "why": "She lost his voice, not a file, so there is a loss to stay with.",
            "goal": "comfort",
            "stance": "companion",
            "tactic": "naming what was hard",
            "tone": "tender",
        },
    ],
    "respond": [
        "I'm sorry about the voicemail. Carriers often keep them for a while, so call yours tomorrow and you may get it back.",
        "I'm so sorry. Eleven seconds about tomatoes, and it was his voice, the last of it you could carry with you.",
    ],
    "audit": [
        {"perceive": RIGHT, "forecast": RIGHT, "cause": RIGHT, "plan": HASTY, "respond": RIGHT},
        dict.fromkeys(("perceive", "forecast", "cause", "plan", "respond"), RIGHT),
    ],
}
FEELINGS = {"devastated": 0.52, "sad": 0.27, "sentimental": 0.1, "nostalgic": 0.06, "lonely": 0.03, "guilty": 0.02}
SECONDS = {"perceive": 0.9, "forecast": 0.35, "cause": 0.5, "plan": 0.45, "respond": 0.8, "audit": 1.1}


class Unhurried(Scripted):
    """The double, as quick as a model of some size, and sure of its feelings by degrees."""

    async def complete(self, request: Request) -> Completion:
        seconds = SECONDS[request.purpose]
        await asyncio.sleep(seconds)
        completion = await super().complete(request)
        sure = {"emotion": FEELINGS} if request.purpose == "forecast" else {}
        return completion.model_copy(update={"ms": seconds * 1000, "probabilities": sure})


async def turn() -> Trace:
    trace = Trace()
    async with Listener(Setup(recipe="reflective"), model=Unhurried(ANSWERS)) as listener:
        await listener.answer(DIALOGUE, observers=(trace,))
    return trace


def picture(page: Path, target: Path, *, scheme: int) -> None:
    """`scheme` is chromium's own number: 0 prefers dark, 1 light."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or sys.exit("There is no chromium on the PATH.")
    options = ("--headless", "--no-sandbox", "--hide-scrollbars", f"--blink-settings=preferredColorScheme={scheme}")
    size = f"--window-size={SIZE[0]},{SIZE[1]}"
    subprocess.run([chromium, *options, size, f"--screenshot={target}", page.as_uri()], check=True, capture_output=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "trace.html"
        write_page(asyncio.run(turn()), page)
        picture(page, HERE / "trace.png", scheme=1)
        picture(page, HERE / "trace-dark.png", scheme=0)


if __name__ == "__main__":
    main()
