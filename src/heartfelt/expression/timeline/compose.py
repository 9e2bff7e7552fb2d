"""Where content and style meet: what is said, and how it is meant, become one timeline.

The content is a `Spoken` (words, sounds, their times); the style is the emotion and its tone. Neither knows of the other
before.
"""

from collections.abc import Iterable, Iterator
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.emotions import Dynamics, dynamics_of, expression_of
from heartfelt.expression.persona import Persona
from heartfelt.expression.style import Style
from heartfelt.expression.timeline.chance import bump, smooth
from heartfelt.expression.timeline.eyes import LookAway, blinks, followed, gaze, glances, keep_on, lids, shut
from heartfelt.expression.timeline.head import HeadMotion, Stress, beats, wandering
from heartfelt.expression.timeline.mouth import spoken_mouth
from heartfelt.expression.timeline.record import ANGLES, RATE, Timeline, timeline_of
from heartfelt.expression.timeline.weight import openings, pauses, stresses, talking
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.spoken import SpokenAudio, later

Floats = NDArray[np.floating[Any]]
Moving = dict[str, Floats]

AFTER = 0.6
"""Seconds that the face is shown after the last word."""
_BLEND = 0.16
"""Seconds in which a stretch takes over from where the one before ended."""
_SIDES = ("Left", "Right")
_HELD = ("mouthSmile", "mouthFrown", "mouthDimple", "mouthPress")
"""Units of the mouth that speech itself does not need: a smile stays a smile."""
_DROPPING = ("jawOpen", "mouthFunnel")
_PARTING = tuple(f"{unit}{side}" for unit in ("mouthLowerDown", "mouthUpperUp") for side in _SIDES)
_LEAST_OPEN = 0.15
"""How much of an open mouth is left of a feeling where the sounds shut it."""
_WIDE = 0.35
"""The opening of the jaw at which all of it is left."""
_AFTER_AIM = 0.005
"""Seconds by which what is seen comes after what the sounds aim at: with it, mouth and sound are measured together."""


class Composer:
    """Stretch after stretch of one performance, each going on where the one before ended."""

    def __init__(self, style: Style, persona: Persona, *, seed: int = 0):
        self.style, self.persona, self.seed = style, persona, seed
        self.expression = expression_of(style.emotion, style.intensity, style.tone)
        self.dynamics = dynamics_of(style.emotion, style.intensity, style.tone)
        self.clearly = 1 + manner_of(style.emotion, style.intensity, style.tone).energy / 28
        self._moments, self._heard = 0, 0.0
        self._last: dict[str, float] = {}

    @property
    def start(self) -> float:
        return self._moments / RATE

    def add(self, spoken: SpokenAudio, *, last: bool = False) -> Timeline:
        """The timeline of the next stretch. With the last one the face is shown a little longer."""
        end = self._heard + spoken.seconds + (AFTER if last else 0.0)
        count = max(floor(round(end * RATE, 6)) - self._moments, 1)
        times = self.start + np.arange(count) / RATE
        own = times - self._heard
        late = self._heard - self.start
        weighty = stresses(spoken)
        talk = talking(spoken, own)
        moving = self._felt(times, talk, spoken.seconds if last else None)
        self._speak(moving, spoken, own, talk)
        self._accent(moving, own, weighty)
        self._move(moving, times, own, weighty, pauses(spoken))
        self._join(moving, own)
        made = timeline_of(
            moving,
            style=self.style,
            persona=self.persona.name,
            start=self.start,
            seconds=count / RATE,
            words=tuple(later(word, late) for word in spoken.words),
            phones=tuple(later(phone, late) for phone in spoken.phones),
        )
        self._moments += count
        self._heard += spoken.seconds
        return made

    def _felt(self, times: Floats, talk: Floats, ends: float | None) -> Moving:
        """The expression: it comes on, stays while one speaks, and goes back in part after the last word."""
        level = _level(times, self.dynamics, None if ends is None else ends + self._heard)
        moving: Moving = {}
        for unit, amount in self.expression.units.items():
            moving[unit] = amount * level * _kept(unit, talk, self.dynamics.speaking)
        for angle in ("yaw", "pitch", "roll"):
            moving[angle] = getattr(self.expression, angle) * level
        return moving

    def _speak(self, moving: Moving, spoken: SpokenAudio, own: Floats, talk: Floats) -> None:
        mouth = spoken_mouth(spoken.phones, openings(spoken), own - _AFTER_AIM, clearly=self.clearly)
        seal = mouth.pop("seal")
        shut = (1 - _LEAST_OPEN) * (1 - np.clip(mouth["jawOpen"] / _WIDE, 0, 1))
        for unit in (*_DROPPING, *_PARTING):
            if unit in moving:  # a mouth that is open with feeling still closes with the sounds; a jaw does not drop in a pause
                moving[unit] = moving[unit] * (1 - shut * (1 if unit in _DROPPING else talk))
        for unit, values in mouth.items():
            moving[unit] = np.clip(moving.get(unit, 0.0) + values, 0, 1)
        for unit in ("mouthFunnel", *_PARTING):
            if unit in moving:
                moving[unit] = moving[unit] * (1 - seal)
        moving["jawOpen"] = moving["jawOpen"] * (1 - 0.4 * seal)
        moving["mouthClose"] = seal * moving["jawOpen"]

    def _accent(self, moving: Moving, own: Floats, weighty: list[Stress]) -> None:
        """Brows go along with the words that weigh, up or, where they are drawn together, down."""
        stern = self.expression.units.get("browDownLeft", 0.0) > 0.35
        units = ("browDownLeft", "browDownRight") if stern else ("browInnerUp", "browOuterUpLeft", "browOuterUpRight")
        raised = np.zeros(len(own))
        for stress in weighty:
            raised = np.maximum(raised, 0.20 * stress.weight * bump(own, stress.at, 0.14, 0.35))
        for unit in units:
            now = moving.get(unit, np.zeros(len(own)))
            moving[unit] = now + raised * (1 - now) * self.persona.lively

    def _move(self, moving: Moving, times: Floats, own: Floats, weighty: list[Stress], silences: list[float]) -> None:
        """Head, gaze and blinks. The eyes stay on the person whatever the head does."""
        lively, names = self.persona.lively * self.dynamics.liveliness, (self.seed, self.persona.name)
        start, end = self.start, self.start + len(own) / RATE
        for motion in (wandering(times, lively, *names), beats(own, weighty, lively, *names)):
            _add(moving, motion)
        away = glances(start, end, self.dynamics, *names)
        _look(moving, times, away, *names)
        blinking = lids(times, blinks(start, end, self.dynamics.blinks, [self._heard + each for each in silences], *names))
        shut(moving, blinking)

    def _join(self, moving: Moving, own: Floats) -> None:
        fading = 1 - smooth(np.clip(own / _BLEND, 0, 1))
        for name in {*moving, *self._last}:
            now = moving.get(name, np.zeros(len(own)))
            if self._moments:
                now = now + (self._last.get(name, 0.0) - now[0]) * fading
            moving[name] = now if name in ANGLES else np.clip(now, 0, 1)
            self._last[name] = float(moving[name][-1])


def compose(spoken: SpokenAudio, style: Style, persona: Persona, *, seed: int = 0) -> Timeline:
    """All of a performance at once."""
    return Composer(style, persona, seed=seed).add(spoken, last=True)


def compose_stream(stretches: Iterable[SpokenAudio], style: Style, persona: Persona, *, seed: int = 0) -> Iterator[Timeline]:
    """Stretch by stretch, each as soon as it is known whether another follows."""
    composer, waiting = Composer(style, persona, seed=seed), None
    for stretch in stretches:
        if waiting is not None:
            yield composer.add(waiting)
        waiting = stretch
    if waiting is not None:
        yield composer.add(waiting, last=True)


def _level(times: Floats, dynamics: Dynamics, ends: float | None) -> Floats:
    """How much of the expression there is: a part of it before the first word, for one feels before one speaks."""
    level = 0.45 + 0.55 * smooth(np.clip(times / dynamics.onset, 0, 1))
    if ends is not None:
        level = level * (1 - 0.4 * smooth(np.clip((times - ends) / dynamics.decay, 0, 1)))
    return level


def _kept(unit: str, talk: Floats, speaking: float) -> Floats:
    """How much of a unit of the expression stays while one talks; brows and eyes are free."""
    if not unit.startswith(("mouth", "jaw", "tongue")):
        return np.ones(len(talk))
    share = (1 + speaking) / 2 if unit.startswith(_HELD) else speaking
    return 1 - talk * (1 - share)


def _add(moving: Moving, motion: HeadMotion) -> None:
    for angle in ("yaw", "pitch", "roll"):
        moving[angle] = moving.get(angle, 0.0) + getattr(motion, angle)


def _look(moving: Moving, times: Floats, away: list[LookAway], *names: object) -> None:
    yaw, pitch = gaze(times, away, *names)
    turned, lowered = followed(times, away)
    moving["yaw"], moving["pitch"] = moving["yaw"] + turned, moving["pitch"] + lowered
    keep_on(moving, yaw, pitch)
