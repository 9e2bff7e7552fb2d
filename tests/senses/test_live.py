"""The senses fed live: what comes in, what waits, what is told, and that nothing stays behind."""

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.errors import InputError, StoreError, TurnError
from heartfelt.records import Moment, Sensed, Word
from heartfelt.senses.default import usual_senses
from heartfelt.senses.face.double import OneFace
from heartfelt.senses.face.sense import FaceSense
from heartfelt.senses.live import Event, FaceSeen, Live, Overheard, Spoken, Stills, TurnOver, VoiceActivity
from heartfelt.senses.live.entry import SoundEntry
from heartfelt.senses.live.stream import Stream
from heartfelt.senses.media import Picture, Sound, open_media
from heartfelt.senses.media.media import Media
from heartfelt.senses.sense import Glance, Senses
from heartfelt.senses.voice.detect import LoudnessDetector
from heartfelt.senses.voice.segments import Pacing
from heartfelt.senses.voice.sense import HeardSpeech, VoiceSense
from heartfelt.senses.voice.transcribe import ScriptedTranscriber, Transcript, Wordless
from scripts import good

from .face.drawing import drawn
from .face.faces import smiling
from .media.studio import Film, Voice, every, noise, quarters
from .voice.sounds import contour, joined, sentence, silence, tone

PICTURE = noise(320, 240)
SPEECH = sentence(contour(140, 190, 120, seconds=1.5))
SAID = joined(silence(0.5), SPEECH, silence(1))
HELLO = Word(start=0.5, end=0.9, text="Hello.")


@dataclass
class Watcher:
    """Eyes that look only while the gate is open."""

    gate: threading.Event = field(default_factory=threading.Event)
    seen: list[float] = field(default_factory=list[float])
    trouble: Callable[[], None] = lambda: None

    def see(self, picture: Picture) -> Glance:
        self.gate.wait(5)
        self.trouble()
        self.seen.append(picture.time)
        return Glance(face=1.0, change=0.5)

    def summary(self) -> Sensed:
        return Sensed(source="face", note=f"{len(self.seen)} frames")

    def new_turn(self) -> None:
        self.seen = []


@dataclass
class Hearer:
    """Ears, and their own voice, that hear only while the gate is open."""

    gate: threading.Event = field(default_factory=threading.Event)
    heard: list[np.ndarray] = field(default_factory=list[np.ndarray])
    trouble: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.voice = self
        self.noticed: Callable[[VoiceActivity], object] = print
        self.overheard: Callable[[Overheard], object] | None = None

    def hear(self, samples: np.ndarray | Sound, time: float | None = None) -> tuple[HeardSpeech, ...]:
        self.gate.wait(5)
        self.trouble()
        assert isinstance(samples, np.ndarray)
        self.heard.append(samples)
        return ()

    def finish(self) -> tuple[HeardSpeech, ...]:
        return ()

    def new_turn(self) -> None:
        pass

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        return Sensed(source="voice"), ()


class Face:
    """Eyes over a network that always sees the same face."""

    def __init__(self, network: OneFace | None = None) -> None:
        self.face = FaceSense(network or OneFace())

    def see(self, picture: Picture) -> Glance:
        main = self.face.see(picture.pixels, picture.time).main
        assert main is not None
        moment = Moment(start=picture.time, end=picture.time, shares={"joy": 1.0}, reliability=0.5)
        return Glance(face=main.quality, change=0.1, main=main, moment=moment)

    def summary(self) -> Sensed:
        return self.face.summary()

    def new_turn(self) -> None:
        self.face.new_turn()


class Listener:
    """Ears over a voice that needs no weights."""

    def __init__(self, voice: VoiceSense | None = None) -> None:
        script = ScriptedTranscriber([(HELLO,)] * 9)
        self.voice = voice or VoiceSense(detector=LoudnessDetector(), transcriber=script)

    def hear(self, sound: Sound) -> None:
        self.voice.hear(sound.samples, sound.start)

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        self.voice.finish()
        found = self.voice.summary()
        return found.sensed, found.words


def senses(eyes: object = None, ears: object = None) -> Senses:
    model = good("compact", forecast={"emotion": "anger"})
    return Senses(model=model, eyes=lambda: eyes or Face(), ears=lambda: ears or Listener())  # type: ignore[arg-type, return-value]


@asynccontextmanager
async def gated(**options: object) -> AsyncGenerator[tuple[Live, Watcher, Hearer]]:
    """A session whose senses stand still until their gates are opened."""
    eyes, ears = Watcher(), Hearer()
    try:
        async with Live(senses(eyes, ears), **options) as live:  # type: ignore[arg-type]
            try:
                yield live, eyes, ears
            finally:
                eyes.gate.set()
                ears.gate.set()
    finally:
        assert not threads()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - a thread makes it true
            await asyncio.sleep(0.001)


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("heartfelt-")]


def chunks(samples: np.ndarray, size: int = 512, start: float = 0.0) -> list[Sound]:
    return [Sound(start + at / 16_000, samples[at : at + size]) for at in range(0, len(samples), size)]


async def feed(live: Live, media: Media, *, rate: float = 8.0) -> None:
    for picture in media.frames(rate=rate):
        await live.frame(picture)
        await live.settled()
    for sound in media.audio(seconds=0.064):
        await live.chunk(sound)


async def events_of(live: Live) -> list[Event]:
    """All that is told until the end of the turn."""
    told: list[Event] = []
    async for event in live:
        told.append(event)
        if isinstance(event, TurnOver):
            break
    return told


def film(path: Path, rest: np.ndarray, then: np.ndarray) -> Media:
    """A sentence twice over six seconds, and two faces."""
    times = every(0.25, 6.0)
    spoken = Voice((joined(SAID, SAID) * 32767).astype(np.int16))
    return open_media(Film(times=times, draw=lambda place: rest if times[place] < 3 else then, voices=[spoken]).save(path))


# ── a turn ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_live_turn_gives_what_its_recording_gives(tmp_path: Path):
    media = film(tmp_path / "a.mkv", PICTURE, noise(320, 240, seed=1))
    recorded = await senses().sense(media)
    async with Live(senses(), behind=10) as live:
        await feed(live, media)
        lived = await live.turn()
    assert lived.text == recorded.text == "Hello. Hello."
    assert lived.readings.duration == pytest.approx(recorded.readings.duration, abs=0.2)
    assert lived.readings.sensed == recorded.readings.sensed
    assert lived.readings.words == recorded.readings.words
    assert lived.keyframes == recorded.keyframes and len(lived.keyframes) == 4


async def test_it_is_told_as_it_happens():
    async with Live(senses()) as live:
        for sound in chunks(SAID, 800):
            await live.chunk(sound)
        await live.frame(Picture(0.2, PICTURE))
        await live.turn()
        told = await events_of(live)
    begins, ends = (event for event in told if isinstance(event, VoiceActivity))
    assert (begins.speaking, ends.speaking) == (True, False)
    assert (begins.time, ends.time) == (pytest.approx(0.5, abs=0.1), pytest.approx(2.0, abs=0.1))
    (spoken,) = (event for event in told if isinstance(event, Spoken))
    assert spoken.heard.text == "Hello." and spoken.heard.prosody.pitch == pytest.approx(150, rel=0.1)
    (seen,) = (event for event in told if isinstance(event, FaceSeen))
    assert seen.time == 0.2 and seen.quality > 0.2 and "AU12" in seen.units and {*seen.head} == {"yaw", "pitch", "roll"}
    assert seen.moment is not None and seen.moment.shares == {"joy": 1.0} and seen.box is not None
    assert Stills(times=(0.2,)) in told and told[-1] == TurnOver(start=0, end=3.0)
    assert [type(event) for event in told].index(Spoken) > told.index(ends)


async def test_the_end_of_speech_is_told_before_it_is_understood():
    slow = threading.Event()

    class Slow(Wordless):
        def transcribe(self, samples: np.ndarray) -> Transcript:
            assert slow.wait(5)
            return Transcript((HELLO,))

    ears = Listener(VoiceSense(detector=LoudnessDetector(), transcriber=Slow()))
    async with Live(senses(ears=ears)) as live:
        for sound in chunks(SAID):
            await live.chunk(sound)
        told = [await anext(live), await anext(live)]
        assert [event.speaking for event in told if isinstance(event, VoiceActivity)] == [True, False]
        slow.set()
        assert isinstance(await anext(live), Spoken)


async def test_words_are_overheard_while_somebody_speaks_and_before_a_pause_is_an_end():
    class Growing(Wordless):
        def transcribe(self, samples: np.ndarray) -> Transcript:
            return Transcript((HELLO,) * round(len(samples) / 16_000 + 1))

    ears = Listener(VoiceSense(detector=LoudnessDetector(), transcriber=Growing()))
    told: list[Event] = []
    async with Live(senses(ears=ears), complete=lambda _words: False) as live:
        for sound in chunks(joined(tone(200, 4), silence(1))):
            await live.chunk(sound)
            await live.settled()
            await asyncio.sleep(0.005)
        while not told or not isinstance(told[-1], Spoken):
            told.append(await anext(live))
    overheard = [event for event in told if isinstance(event, Overheard)]
    assert [event.whole for event in overheard] == [False] * (len(overheard) - 1) + [True] and len(overheard) > 1
    lengths = [len(event.text.split()) for event in overheard]
    assert lengths == sorted(lengths)
    assert isinstance(told[-1], Spoken) and overheard[-1].text == told[-1].heard.text


async def test_where_nobody_takes_turns_by_words_nothing_is_overheard():
    ears = Listener(VoiceSense(detector=LoudnessDetector(), transcriber=Wordless()))
    told: list[Event] = []
    async with Live(senses(ears=ears)) as live:
        for sound in chunks(joined(tone(200, 4), silence(1))):
            await live.chunk(sound)
        while not told or not isinstance(told[-1], Spoken):
            told.append(await anext(live))
    assert not any(isinstance(event, Overheard) for event in told)


def test_a_click_begins_and_ends_and_says_nothing():
    voice, told = VoiceSense(detector=LoudnessDetector(), transcriber=Wordless()), list[VoiceActivity]()
    voice.noticed = told.append
    assert voice.hear(joined(silence(1), SPEECH[2000:3600], silence(1))) == ()
    assert [activity.speaking for activity in told] == [True, False]


def test_a_long_speech_is_told_in_parts_and_ends_once():
    pacing = Pacing(longest=3)
    voice, told = VoiceSense(detector=LoudnessDetector(), transcriber=Wordless(), pacing=pacing), list[VoiceActivity]()
    voice.noticed = told.append
    heard = voice.hear(joined(silence(1), tone(200, 10))) + voice.finish()
    assert len(heard) > 3
    assert [(activity.speaking, activity.time) for activity in told] == [
        (True, pytest.approx(1, abs=0.05)),
        (False, pytest.approx(11, abs=0.05)),
    ]


async def test_the_next_turn_counts_from_its_own_start_and_knows_the_person():
    eyes, ears = Face(OneFace(smiling())), Listener()
    async with Live(senses(eyes, ears), rate=100) as live:
        for step in range(30):
            await live.frame(Picture(step / 10, PICTURE))
            await live.settled()
        for sound in chunks(joined(SAID, SAID), 517):
            await live.chunk(sound)
        first = await live.turn()
        for sound in chunks(SAID, 517, start=6.0):
            await live.chunk(sound)
        await live.frame(Picture(6.1, PICTURE))
        second = await live.turn(text="Nothing, really.")
        told = [event async for event in _until(live, 2)]
    seen = [event.units["AU12"] for event in told if isinstance(event, FaceSeen)]
    assert seen[-1] < 0.9 * seen[0], "what was taken for a smile at first is how this face rests"
    assert ears.voice.usual.known
    assert (first.readings.duration, second.readings.duration) == pytest.approx((6.0, 3.0), abs=0.1)
    assert (first.text, second.text) == ("Hello. Hello.", "Nothing, really.")
    assert second.readings.words[0].start == pytest.approx(first.readings.words[0].start, abs=0.1)
    assert [still.time for still in second.keyframes] == pytest.approx([0.1])
    assert [event.start for event in told if isinstance(event, TurnOver)] == pytest.approx([0, 6.0])


async def _until(live: Live, turns: int) -> AsyncIterator[Event]:
    for _ in range(turns):
        for event in await events_of(live):
            yield event


async def test_a_turn_without_anything_has_no_votes_but_says_so():
    async with Live(senses()) as live:
        found = await live.turn()
    assert [(each.source, each.note) for each in found.readings.sensed] == [("words", "Nothing was said.")]
    assert (found.readings.duration, found.keyframes) == (0, ())


async def test_what_comes_while_a_turn_ends_belongs_to_the_next():
    async with gated() as (live, eyes, ears):
        await live.frame(Picture(0.0, PICTURE))
        ending = asyncio.create_task(live.turn())
        await asyncio.sleep(0.01)
        for time in (0.2, 0.4):
            await live.frame(Picture(time, PICTURE))
        eyes.gate.set()
        ears.gate.set()
        first, second = await ending, await live.turn()
        assert [found.readings.of("face").note for found in (first, second)] == ["1 frames", "2 frames"]  # type: ignore[union-attr]


# ── back-pressure ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_of_frames_the_newest_wins_and_the_rest_is_counted():
    async with gated() as (live, eyes, _):
        await live.frame(Picture(0.0, PICTURE))
        await until(live._newest._waiting[0].running)
        for step in range(1, 10):
            await asyncio.wait_for(live.frame(Picture(step / 10, PICTURE)), 1)
        assert live.load.dropped == 7 and live.load.frames == 10
        eyes.gate.set()
        await live.settled()
        assert eyes.seen == [0.0, 0.8, 0.9]


async def test_frames_beyond_the_rate_are_passed_over():
    async with gated(rate=10, waiting=50) as (live, eyes, _):
        eyes.gate.set()
        for step in range(30):
            await live.frame(Picture(step / 30, PICTURE))
        await live.settled()
        assert len(eyes.seen) == 10 and (live.load.passed_over, live.load.dropped) == (20, 0)


async def test_a_large_frame_is_made_smaller_and_the_giver_keeps_its_own():
    sizes: list[tuple[int, ...]] = []

    class Measuring(Watcher):
        def see(self, picture: Picture) -> Glance:
            sizes.append(picture.pixels.shape)
            assert picture.pixels.max() == 255
            return Glance(face=0.0, change=0.0)

    large = quarters(1280, 720)
    async with Live(senses(Measuring())) as live:
        await live.frame(Picture(0.0, large))
        large[:] = 0
        await live.settled()
    assert sizes == [(360, 640, 3)]


async def test_sound_is_never_dropped_and_its_giver_waits():
    async with gated(behind=0.3) as (live, _, ears):
        numbered = np.arange(16_000, dtype=np.float32) / 16_000
        given = 0

        async def give() -> None:
            nonlocal given
            for sound in chunks(numbered, 1600):
                await live.chunk(sound)
                given += 1

        giving = asyncio.create_task(give())
        await until(lambda: live.load.held_back > 0)
        assert given == 4 and live.load.behind == pytest.approx(0.4)
        ears.gate.set()
        await giving
        await live.settled()
        assert np.array_equal(np.concatenate(ears.heard), numbered)
        assert live.load.behind == pytest.approx(0) and live.load.held_seconds > 0


async def test_a_chunk_that_is_cancelled_while_it_waits_is_not_taken():
    async with gated(behind=0.1) as (live, _, ears):
        first, second, third = chunks(SAID[:4800], 1600)
        await live.chunk(first)
        await live.chunk(second)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(live.chunk(third), 0.02)
        ears.gate.set()
        await live.chunk(third)
        await live.settled()
        assert len(ears.heard) == 3


async def test_events_that_nobody_fetches_are_bounded():
    stream = Stream(most=3)
    for step in range(5):
        stream.put(Stills(times=(float(step),)))
    stream.end()
    assert stream.missed == 2 and (await stream.next()) == Stills(times=(2.0,))


# ── what cannot be taken ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "picture",
    [
        Picture(0.5, PICTURE),
        Picture(1.0, PICTURE),
        Picture(float("nan"), PICTURE),
        Picture(-1.0, PICTURE),
        Picture(2.0, PICTURE.astype(np.float32)),  # type: ignore[arg-type]
        Picture(2.0, PICTURE[..., :2]),
        Picture(2.0, PICTURE[:0]),
    ],
    ids=["older", "same time", "no time", "negative", "floats", "two colours", "no pixel"],
)
async def test_a_frame_that_cannot_be_taken_is_refused_and_the_session_goes_on(picture: Picture):
    async with Live(senses()) as live:
        await live.frame(Picture(1.0, PICTURE))
        with pytest.raises(InputError):
            await live.frame(picture)
        await live.frame(Picture(2.0, PICTURE))
        assert live.load.frames == 2


@pytest.mark.parametrize(
    ("sound", "rate", "says"),
    [
        (Sound(0.5, silence(0.1)), 16_000, "in order"),
        (Sound(float("inf"), silence(0.1)), 16_000, "start at 0"),
        (Sound(1.0, silence(0)), 16_000, "empty"),
        (Sound(1.0, np.zeros((2, 800), np.float32)), 16_000, "one channel"),
        (Sound(1.0, np.zeros(800, np.int16)), 16_000, "divide"),  # type: ignore[arg-type]
        (Sound(1.0, np.full(800, np.nan, np.float32)), 16_000, "not numbers"),
        (Sound(1.0, [0.0] * 800), 16_000, "np.asarray"),  # type: ignore[arg-type]
        (Sound(1.0, silence(0.1)), 48_000, "16000 samples a second, not 48000"),
        (Sound(1.0, silence(6)), 16_000, "at most 5 s"),
    ],
    ids=["older", "no time", "empty", "stereo", "integers", "not numbers", "a list", "another rate", "too long"],
)
async def test_a_chunk_that_cannot_be_taken_is_refused_and_the_session_goes_on(sound: Sound, rate: int, says: str):
    async with Live(senses()) as live:
        await live.chunk(Sound(0.0, silence(1)))
        with pytest.raises(InputError, match=says):
            await live.chunk(sound, sample_rate=rate)
        await live.chunk(Sound(1.0, silence(0.1)))
        await live.settled()


async def test_sound_of_another_rate_is_found_out_by_its_times():
    async with Live(senses()) as live:
        await live.chunk(Sound(0.0, np.zeros(4800, np.float32)))
        with pytest.raises(InputError, match="16000 samples a second"):
            await live.chunk(Sound(0.1, np.zeros(4800, np.float32)))


@pytest.mark.parametrize("drift", [-1e-3, 1e-3])
def test_a_clock_that_drifts_is_never_refused(drift: float):
    door, end = SoundEntry(), 0.0
    for number in range(6_000):
        sound = Sound(number * 0.1 * (1 + drift), np.zeros(1600, np.float32))
        door.check(sound, 16_000)
        start = door.place(sound)
        assert start >= end - 1e-9
        end = door.end


@given(
    st.lists(st.tuples(st.integers(1, 3000), st.floats(-0.09, 0.3), st.booleans()), min_size=1, max_size=30),
    st.floats(0, 1000),
)
def test_what_the_door_lets_in_the_voice_takes(steps: list[tuple[int, float, bool]], time: float):
    """Whatever the sizes, the gaps, the trembling of the clock and the ends of turns: both count to the same bit."""
    door, voice = SoundEntry(), VoiceSense(detector=LoudnessDetector(), transcriber=Wordless())
    for size, shift, turn_ends in steps:
        time = max(0.0, time + shift)
        sound = Sound(time, np.zeros(size, np.float32))
        door.check(sound, 16_000)
        voice.hear(sound.samples, door.place(sound))
        time += size / 16_000
        if turn_ends:
            voice.finish()
            voice.new_turn()
            door.new_turn()


async def test_senses_that_cannot_be_fed_live_are_refused():
    class Recorded:
        def see(self, picture: Picture) -> Glance: ...

        def summary(self) -> Sensed: ...

    with pytest.raises(InputError, match="Recorded cannot look on live"):
        async with Live(senses(Recorded())):
            pass
    assert not threads()


# ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sense", ["face", "voice"])
async def test_what_fails_in_a_thread_is_one_clear_error_everywhere(sense: str):
    async with gated() as (live, eyes, ears):
        broken = eyes if sense == "face" else ears
        broken.trouble = lambda: 1 / 0  # type: ignore[assignment, return-value]
        await live.frame(Picture(0.0, PICTURE))
        await live.chunk(Sound(0.0, silence(0.1)))
        ending = asyncio.create_task(live.turn())
        await asyncio.sleep(0)
        eyes.gate.set()
        ears.gate.set()
        told = f"The {sense} sense failed \\(ZeroDivisionError: .*\\). Close this session"
        with pytest.raises(TurnError, match=told):
            await ending
        with pytest.raises(TurnError, match=told):
            await events_of(live)
        for call in (live.frame(Picture(1.0, PICTURE)), live.chunk(Sound(1.0, silence(0.1))), live.turn(), live.settled()):
            with pytest.raises(TurnError, match=told):
                await call


async def test_a_foreseen_error_keeps_its_words():
    def missing() -> None:
        raise StoreError("The weights are not here.")

    async with gated() as (live, eyes, _):
        eyes.trouble = missing
        eyes.gate.set()
        await live.frame(Picture(0.0, PICTURE))
        with pytest.raises(StoreError, match="The weights are not here"):
            await live.turn()


async def test_a_failure_frees_whoever_waits_for_room():
    async with gated(behind=0.1) as (live, _, ears):
        ears.trouble = lambda: 1 / 0  # type: ignore[assignment, return-value]
        first, second, third = chunks(SAID[:4800], 1600)
        await live.chunk(first)
        await live.chunk(second)
        waiting = asyncio.create_task(live.chunk(third))
        await until(lambda: live.load.held_back > 0)
        ears.gate.set()
        with pytest.raises(TurnError, match="voice sense failed"):
            await waiting


async def test_closing_frees_whoever_waits_and_ends_the_events():
    async with gated() as (live, eyes, ears):
        await live.frame(Picture(0.0, PICTURE))
        ending, reading = asyncio.create_task(live.turn()), asyncio.create_task(events_of(live))
        await asyncio.sleep(0.01)
        closing = asyncio.create_task(live.close())
        await asyncio.sleep(0.01)
        eyes.gate.set()
        ears.gate.set()
        await closing
        assert not threads() and await reading == []
        with pytest.raises(InputError, match="closed"):
            await ending
        with pytest.raises(InputError, match="closed"):
            await live.frame(Picture(1.0, PICTURE))
        await live.close()


async def test_a_session_is_opened_once_and_before_anything_else():
    live = Live(senses())
    with pytest.raises(InputError, match="not open"):
        await live.frame(Picture(0.0, PICTURE))
    async with live:
        await live.frame(Picture(0.0, PICTURE))
    with pytest.raises(InputError, match="opened once"):
        await live.__aenter__()
    assert not threads()


async def test_a_cancelled_session_leaves_no_thread():
    began = asyncio.Event()

    async def session() -> None:
        async with gated() as (live, _, __):
            await live.frame(Picture(0.0, PICTURE))
            await live.chunk(Sound(0.0, silence(0.1)))
            began.set()
            await live.turn()

    task = asyncio.create_task(session())
    await began.wait()
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not threads()


# ── with the real networks ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.embedded
async def test_with_real_networks_a_live_turn_gives_what_its_recording_gives(tmp_path: Path):
    media = film(tmp_path / "a.mkv", drawn(), drawn(smile=1.0))
    real = usual_senses(good("compact", forecast={"emotion": "anger"}))
    recorded = await real.sense(media)
    async with Live(real, behind=10) as live:
        await feed(live, media)
        lived = await live.turn()
        told = await events_of(live)
    assert lived.readings.sensed == recorded.readings.sensed
    assert (lived.text, lived.readings.words) == (recorded.text, recorded.readings.words)
    assert lived.keyframes == recorded.keyframes
    faces = [event for event in told if isinstance(event, FaceSeen)]
    assert len(faces) == 24 and all(face.quality > 0.5 for face in faces)
    assert faces[-1].moment is not None and faces[-1].units["AU12"] > faces[5].units["AU12"]
    assert len([event for event in told if isinstance(event, Spoken)]) == 2
