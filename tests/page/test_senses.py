"""What was seen and heard, as far as the page needs it: small stills, and moments that are few enough to draw."""

import base64
import io
from collections.abc import Callable
from functools import partial

import pytest
from PIL import Image

from heartfelt import Dialogue, Trace, Turn
from heartfelt.page import render
from heartfelt.page.stills import LONG_SIDE, MOST, stills
from heartfelt.page.thin import MOST_MOMENTS, joined
from heartfelt.records import Conflict, Keyframe, Measured, Readings, Sensed, Word

from . import samples, sensed
from .reading import HOSTILE, Page, data

READINGS: dict[str, Callable[[], Readings]] = {
    "a contradiction": sensed.readings,
    "a picture": sensed.picture,
    "a black and silent film": sensed.nothing,
    "an hour": sensed.hour,
    "no sense at all": lambda: Readings(duration=0.0),
}


def _sensed(make: Callable[[], Readings]) -> Trace:
    return sensed.trace(make())


def hostile() -> Trace:
    cue = Measured(source="face", text=HOSTILE, start=0, end=1, strength=0.5)
    shares = sensed.moment(0, 1, 1, joy=1).model_copy(update={"shares": {HOSTILE: 1.0}})
    given = Readings(
        duration=1.0,
        sensed=(Sensed(source="face", moments=(shares,), cues=(cue,), note=HOSTILE),),
        words=(Word(text=HOSTILE, start=0, end=1),),
        shares={HOSTILE: 1.0},
        conflict=Conflict(start=0, end=1, score=1, text=HOSTILE),
    )
    frames = (Keyframe(mime='image/png" onerror="alert(1)', data="AAAA"), Keyframe(data="no base64"), Keyframe(data=""))
    return sensed.trace(given, frames, text=HOSTILE, speaker=HOSTILE)


TRACES: dict[str, Callable[[], Trace]] = {name: partial(_sensed, make) for name, make in READINGS.items()} | {
    "hostile": hostile
}


def turn(trace: Trace, place: int = -1) -> dict:
    """A turn as the page has it."""
    return data(trace)["events"][0]["dialogue"]["turns"][place]


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_every_reading_is_a_whole_page(make: Callable[[], Trace]):
    page = Page(render(make()))
    assert page.tags == Page(render(samples.one_pass())).tags
    assert page.data["events"][0]["dialogue"]["turns"][0]["readings"] is not None


def test_what_was_measured_is_there_as_it_was():
    given = sensed.readings()
    shown = Readings.model_validate(turn(sensed.trace(given))["readings"])
    assert shown.model_copy(update={"words": given.words}) == given
    assert [(word.text, word.confidence) for word in shown.words] == [(word.text, word.confidence) for word in given.words]
    assert [word.start for word in shown.words] == pytest.approx([word.start for word in given.words], abs=0.01)


def test_an_hour_makes_no_page_of_megabytes():
    trace = sensed.trace(sensed.hour(), ())
    (face,) = turn(trace)["readings"]["sensed"]
    assert len(face["moments"]) <= MOST_MOMENTS + 1 and len(render(trace)) < 1_000_000


def test_stills_are_shown_once_small_and_few():
    frames = tuple(sensed.keyframe(place / 10) for place in range(30))
    shown = turn(sensed.trace(frames=(*frames, *frames)))["keyframes"]
    assert len(shown) == MOST and {frame["mime"] for frame in shown} == {"image/jpeg"}
    assert [shown[0]["time"], shown[-1]["time"]] == [0.0, 2.9]
    assert sum(len(frame["data"]) for frame in shown) < 1_500_000
    assert max(Image.open(io.BytesIO(base64.b64decode(shown[0]["data"]))).size) == LONG_SIDE


def test_a_still_that_cannot_be_opened_is_left_out():
    assert stills((Keyframe(data="AAAA"), Keyframe(data="no base64"), Keyframe(mime="text/html", data="AAAA"))) == ()


def test_an_earlier_turn_that_was_sensed_is_there_too():
    first = Turn(speaker="Ana", text="Hm.", readings=sensed.picture(), keyframes=(sensed.keyframe(0, 8),))
    trace = samples.one_pass(dialogue=Dialogue(turns=(first, Turn(speaker="Ana", text=samples.SAID))))
    assert turn(trace, 0)["readings"]["sensed"][0]["source"] == "face" and len(turn(trace, 0)["keyframes"]) == 1
    assert turn(trace)["readings"] is None


def test_the_trace_keeps_the_stills_as_they_were():
    made = sensed.trace()
    before = made.start.model_dump_json()
    render(made)
    assert made.start.model_dump_json() == before


def test_moments_are_joined_only_where_there_are_too_many():
    moments = sensed.hour().sensed[0].moments
    assert joined(moments[:50], 60) == moments[:50]
    few = joined(moments, 60)
    assert len(few) <= 61 and few[0].start == 0 and few[-1].end == moments[-1].end
    assert sum(few[3].shares.values()) == pytest.approx(1)
