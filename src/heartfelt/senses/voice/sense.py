"""The voice sense: takes sound as it comes and tells, stretch by stretch, what was said and how.

Sound is kept only while the stretch that it belongs to is open, which is never longer than `Pacing.longest`.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from heartfelt.errors import InputError
from heartfelt.records import Measured, Moment, Record, Scores, Sensed, Span, Word
from heartfelt.senses.voice.cues import cues, pause, ranked
from heartfelt.senses.voice.detect import FRAME, Detector, Silero
from heartfelt.senses.voice.ears import open_ears
from heartfelt.senses.voice.prosody import Prosody, listen
from heartfelt.senses.voice.samples import RATE, Samples, checked, decibels
from heartfelt.senses.voice.segments import Pacing, Segmenter, SpeechFrames
from heartfelt.senses.voice.transcribe import Transcriber, Transcript
from heartfelt.senses.voice.trust import LEAST, doubt, reliability
from heartfelt.senses.voice.usual import Usual

Emotion: TypeAlias = Callable[[Samples], Scores]
"""How likely each emotion of `senses.labels` is, by the sound of one stretch and of the silence around it."""
Sure: TypeAlias = Callable[[Scores], float]
"""How far an `Emotion` is to be trusted that found these shares, from 0 to 1."""

AFTER = np.zeros(round(0.15 * RATE), np.float32)
"""Silence put behind what a recogniser hears. After 0.1 s of the pause and this it mishears less than after 0.2 s of the pause
(docs/design/senses.md)."""
_TOLERANCE = 0.1
"""Seconds by which a clock may disagree with the count of samples before something is missing."""
_KEPT = 2000
"""Stretches that a summary can tell of; in an hour of talk there are about a thousand."""
_MOST = 100
"""Cues that a summary tells, the most telling first: nobody reads the two thousand of an hour."""
_OVERHEARD = round(1.2 * RATE / FRAME)
"""Frames of speech after which it is worth while to understand what was said so far."""
_BACKGROUND = 100
"""Frames without speech that tell how loud the place is: about three seconds."""
_AT_ONCE = 512
"""Frames that are looked at together, so that an hour in one chunk needs no more memory than live sound."""
_UNCLEAR = "The voice shows no emotion clearly enough to name one."
_STRANGER = "Another person may have spoken: the pitch is far from the usual one."


class HeardSpeech(Span):
    """One stretch of speech."""

    words: tuple[Word, ...]
    language: str = ""
    """Its code, where it is clearly not English."""
    prosody: Prosody
    cues: tuple[Measured, ...]
    """The most telling first."""
    moment: Moment | None
    """Only where an emotion reader is plugged in."""
    reliability: float = Field(ge=0, le=1)
    note: str = ""
    """What was wrong with the sound, in a sentence."""

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


class VoiceActivity(Record):
    """Somebody began or ceased to speak. What was said follows once it is understood, and never does for a mere click."""

    kind: Literal["voice activity"] = "voice activity"
    time: float = Field(ge=0)
    """Where in the sound."""
    speaking: bool


class Overheard(Record):
    """What was understood of a stretch before it was sure that it is over: good to think about, and not to be told."""

    kind: Literal["overheard"] = "overheard"
    text: str
    whole: bool
    """Whether it is all of it, should nobody speak on; else somebody still speaks."""


def likeliest(shares: Scores) -> float:
    """A reader that says no more is as sure as what it finds is likely."""
    return max(shares.values())


def _unnoticed(_event: VoiceActivity | Overheard) -> None:
    """Nobody looks on."""


class VoiceSummary(Record):
    """All that was heard of a turn."""

    sensed: Sensed
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


class VoiceSense:
    """One stream of one person's voice. Not safe to share between threads; its transcriber is."""

    def __init__(
        self,
        *,
        detector: Detector | None = None,
        transcriber: Transcriber | None = None,
        emotion: Emotion | None = None,
        sure: Sure = likeliest,
        missing: str = "",
        usual: Usual | None = None,
        pacing: Pacing | None = None,
    ):
        self.detector = detector or Silero()
        self.transcriber = transcriber or open_ears("embedded:")
        self.emotion = emotion
        self.sure = sure
        self.missing = missing
        """What is not here and so not told, in a sentence."""
        self.usual = usual or Usual()
        self.pacing = pacing or Pacing()
        self.noticed: Callable[[VoiceActivity], object] = _unnoticed
        """Called as soon as speech begins or ends, before the work of understanding it; for whoever listens live."""
        self.overheard: Callable[[Overheard], object] | None = None
        """Called, from any thread, with what was understood before its stretch is over; for whoever listens live. Where nobody
        does, nothing is understood but what is over or pauses."""
        self.complete: Callable[[str], bool] | None = None
        """Whether words are a whole thought: then the pause after them is their end as soon as they are understood. Only for
        whoever listens live, since it hangs on how fast they are."""
        self.new_turn()
        self._restart(0.0)
        self._begun = False

    def new_turn(self) -> None:
        """Forget what was heard, for the next `summary`; the stream and the usual voice go on."""
        self._heard: deque[HeardSpeech] = deque(maxlen=_KEPT)
        self._silences: deque[Measured] = deque(maxlen=_KEPT)

    def hear(self, samples: NDArray[np.floating], time: float | None = None) -> tuple[HeardSpeech, ...]:
        """Take the next chunk, of any size, and tell of the stretches that it brought to their end.

        `time` is that of its first sample. Without it the chunk follows on the last one; a later time than that closes what
        was open, since something is missing in between.
        """
        samples = checked(samples)
        found = self._arrive(time)
        self._begun = True
        self._pending.append(samples)
        self._waiting += len(samples)
        if self._waiting >= FRAME:
            found += (*self._take(), *self._ended_early())
            self._understand_ahead()
            self._overhear()
        return found

    def finish(self) -> tuple[HeardSpeech, ...]:
        """The sound is over: tell of the stretch that was still open. Less than a frame (32 ms) at the end is left out."""
        was_idle = self._segmenter.idle
        stretch = self._segmenter.flush()
        self._notice(was_idle, stretch)
        found = () if stretch is None else (self._judge(stretch),)
        self._restart(self._now)
        self._begun = False
        return found

    def summary(self) -> VoiceSummary:
        """What was heard since the turn began, without what is still open."""
        heard = tuple(self._heard)
        found = ranked((*(cue for item in heard for cue in item.cues), *self._silences))[:_MOST]
        moments = tuple(item.moment for item in heard if item.moment)
        words = tuple(word for item in heard for word in item.words)
        sensed = Sensed(source="voice", moments=moments, language=_language(heard), cues=found, note=self._note())
        return VoiceSummary(sensed=sensed, words=words)

    @property
    def _now(self) -> float:
        return self._origin + (self._frames_seen * FRAME + self._waiting) / RATE

    def _arrive(self, time: float | None) -> tuple[HeardSpeech, ...]:
        if time is None:
            return ()
        if not np.isfinite(time) or time < 0 or time < self._earliest():
            raise InputError(f"The chunk at {time:g} s is older than what was heard before: bring chunks in their order.")
        if self._begun and time - self._now <= _TOLERANCE:
            return ()
        found = self.finish() if self._begun else ()
        self._restart(time)
        return found

    def _earliest(self) -> float:
        return self._now - _TOLERANCE if self._begun else self._ended

    def _restart(self, origin: float) -> None:
        self.detector.reset()
        self._segmenter = Segmenter(self.pacing)
        self._origin = origin
        self._ended = origin
        self._frames: deque[Samples] = deque()
        self._frames_seen = 0
        self._background: deque[float] = deque(maxlen=_BACKGROUND)
        self._pending: list[Samples] = []
        self._waiting = 0
        self._ahead: tuple[SpeechFrames, Future[Transcript]] | None = None
        self._overhearing: Future[Transcript] | None = None
        self._overheard_at = 0
        """The frame up to which was understood while somebody spoke."""

    def _take(self) -> Iterator[HeardSpeech]:
        """Whole frames go to the detector; the rest waits for the next chunk."""
        sound = np.concatenate(self._pending)
        whole = len(sound) // FRAME
        self._pending = [sound[whole * FRAME :].copy()]
        self._waiting = len(sound) - whole * FRAME
        frames = sound[: whole * FRAME].reshape(whole, FRAME)
        for start in range(0, whole, _AT_ONCE):
            block = frames[start : start + _AT_ONCE]
            for frame, probability in zip(block, self.detector.detect(block), strict=True):
                self._frames.append(frame.copy())
                self._frames_seen += 1
                was_idle = self._segmenter.idle
                if was_idle:
                    self._background.append(float(np.mean(np.square(frame))))
                stretch = self._segmenter.feed(float(probability))
                self._notice(was_idle, stretch)
                if stretch is not None:
                    yield self._judge(stretch)
                self._let_go()

    def _notice(self, was_idle: bool, stretch: SpeechFrames | None) -> None:
        """A stretch that is cut because it is long ends nothing: somebody still speaks."""
        if was_idle == self._segmenter.idle:
            return
        frame = self._frames_seen - 1 if was_idle else self._frames_seen if stretch is None else stretch.last
        self.noticed(VoiceActivity(time=self._origin + frame * FRAME / RATE, speaking=was_idle))

    def _let_go(self) -> None:
        oldest = self._frames_seen - len(self._frames)
        for _ in range(self._segmenter.needed - oldest):
            self._frames.popleft()

    def _understand_ahead(self) -> None:
        """In a pause, with no more sound at hand: if nobody speaks on, the words are there when the stretch is over.

        In a thread of its own, so that its end is told in time whatever the words take.
        """
        stretch = self._segmenter.pausing
        if stretch is not None and self._begun_ahead(stretch) is None:
            self._ahead = stretch, self._understood_beside(self._utterance(stretch), whole=True)

    def _overhear(self) -> None:
        """Now and then while somebody speaks on, what they have said so far is understood: whoever answers can read it before
        they have finished."""
        stretch = self._segmenter.speaking
        if self.overheard is None or stretch is None or (self._overhearing and not self._overhearing.done()):
            return
        since = self._overheard_at if self._overheard_at >= stretch.first else stretch.first
        if stretch.last - since >= _OVERHEARD:
            self._overheard_at = stretch.last
            self._overhearing = self._understood_beside(self._sound(stretch.lead, stretch.last), whole=False)

    def _understood_beside(self, sound: Samples, *, whole: bool) -> "Future[Transcript]":
        beside = ThreadPoolExecutor(1, thread_name_prefix="heartfelt-words")
        words = beside.submit(self.transcriber.transcribe, sound)
        beside.shutdown(wait=False)  # the thread ends with its work
        words.add_done_callback(lambda done: self._tell_overheard(done, whole=whole))
        return words

    def _tell_overheard(self, done: "Future[Transcript]", *, whole: bool) -> None:
        if self.overheard is None or done.cancelled() or done.exception():
            return
        words = [word.text for word in done.result().words]
        if words := words if whole else words[:-1]:  # the last one may be half a word
            self.overheard(Overheard(text=" ".join(words), whole=whole))

    def _ended_early(self) -> tuple[HeardSpeech, ...]:
        pausing = self._segmenter.pausing
        ahead = self._begun_ahead(pausing) if pausing is not None else None
        if self.complete is None or ahead is None or not ahead.done() or ahead.exception():
            return ()
        if not self.complete(" ".join(word.text for word in ahead.result().words)):
            return ()
        stretch = self._segmenter.close()
        self._notice(False, stretch)
        return () if stretch is None else (self._judge(stretch),)

    def _begun_ahead(self, stretch: SpeechFrames) -> Future[Transcript] | None:
        before, said = self._ahead or (None, None)
        return said if before and (before.first, before.last) == (stretch.first, stretch.last) else None

    def _sound(self, first: int, last: int) -> Samples:
        oldest = self._frames_seen - len(self._frames)
        return np.concatenate([self._frames[index - oldest] for index in range(first, last)])

    def _utterance(self, stretch: SpeechFrames) -> Samples:
        """What the recogniser hears: with a silence behind it that nobody has to wait for."""
        return np.concatenate([self._sound(stretch.lead, stretch.pause), AFTER])

    def _judge(self, stretch: SpeechFrames) -> HeardSpeech:
        sound, ahead = self._sound(stretch.lead, stretch.tail), self._begun_ahead(stretch)
        lead, start, end = (self._origin + frame * FRAME / RATE for frame in (stretch.lead, stretch.first, stretch.last))
        background = float(decibels(np.median(self._background))) if self._background else None
        listened = listen(sound, lead, speech=(start - lead, end - lead), background=background)
        prosody, span = listened.prosody, Span(start=start, end=end)
        trust = reliability(prosody)
        moment = self._moment(sound, span, trust)
        said = ahead.result() if ahead else self.transcriber.transcribe(self._utterance(stretch))
        heard = HeardSpeech(
            start=start,
            end=end,
            words=tuple(word.model_copy(update={"start": word.start + lead, "end": word.end + lead}) for word in said.words),
            language=said.language,
            prosody=prosody,
            cues=cues(span, prosody, self.usual),
            moment=moment,
            reliability=trust,
            note=_STRANGER if self.usual.stranger(prosody) else doubt(prosody),
        )
        if trust > 0:
            self.usual.learn(listened)
        self._keep(heard)
        return heard

    def _moment(self, sound: Samples, span: Span, trust: float) -> Moment | None:
        """As reliable as the sound is clear and the reader is sure."""
        if self.emotion is None or trust == 0:
            return None
        shares = self.emotion(sound)
        return Moment(start=span.start, end=span.end, shares=shares, reliability=trust * self.sure(shares))

    def _note(self) -> str:
        if not self._heard:
            return "Nobody was heard to speak."
        notes = dict.fromkeys(item.note for item in self._heard if item.note)
        moments = [item.moment for item in self._heard if item.moment]
        if moments and all(moment.reliability < LEAST for moment in moments):
            notes[_UNCLEAR] = None
        if self.missing:
            notes[self.missing] = None
        return " ".join(notes)

    def _keep(self, heard: HeardSpeech) -> None:
        before = self._heard[-1].end if self._heard else None
        silence = pause(before, heard.start) if before is not None else None
        if silence is not None:
            self._silences.append(silence)
        self._heard.append(heard)


def _language(heard: tuple[HeardSpeech, ...]) -> str:
    """The one that was spoken longest."""
    seconds: dict[str, float] = defaultdict(float)
    for item in heard:
        seconds[item.language] += item.end - item.start
    return max(seconds, key=lambda code: seconds[code], default="")
