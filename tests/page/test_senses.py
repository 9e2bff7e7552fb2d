"""What was seen and heard, on the page."""

import re
from collections.abc import Callable
from functools import partial

import pytest

from heartfelt import Dialogue, Trace, Turn
from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.page import render
from heartfelt.page.axis import Axis, clock
from heartfelt.page.lanes import HUES, joined
from heartfelt.page.spoken import sentences, spoken
from heartfelt.page.stills import MOST, row, stills
from heartfelt.records import Conflict, Keyframe, Measured, Readings, Sensed, Span, Word

from . import samples, sensed
from .test_render import HOSTILE, Page

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


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_every_reading_is_a_whole_page_that_fetches_nothing(make: Callable[[], Trace]):
    text = render(make())
    page = Page(text)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids)) and len(page.named("script")) == 1
    assert not re.search(r"https?://|@import|url\(", text)
    links = {attributes["href"] for attributes in page.named("a")}
    assert all(link and link.startswith("#") for link in links)
    assert {link[1:] for link in links if link} <= {*ids}
    assert all("onerror" not in attributes for _, attributes in page.tags)


def test_a_turn_that_was_not_sensed_looks_as_before():
    page = render(samples.one_pass())
    assert "What was seen and heard" not in page and ".sense-head" not in page and 'class="at"' not in page


def test_every_sense_is_told_with_what_it_was_worth():
    page = render(sensed.trace())
    assert "reliability 80 % · vote 72 %" in page and "reliability 38 % · vote 28 %" in page
    assert "the voice casts no vote" in page and "No emotion was read, only cues." in page
    assert "A face was found in 40% of the frames only." in page


def test_who_contradicts_whom_and_when_is_told_in_words():
    page = render(sensed.trace())
    assert "2.1–3.4 s" in page and "the words tell of sadness while the face shows joy" in page
    assert page.count('<span class="tag bad">disagrees</span>') == 2


def test_a_cited_cue_leads_to_its_time():
    page = Page(render(sensed.trace()))
    smile = next(attributes for attributes in page.named("div") if attributes.get("id") == "turn-0-face-0")
    assert "cited" in (smile["class"] or "")
    links = [attributes["href"] for attributes in page.named("a") if attributes.get("class") == "at"]
    assert (
        links.count("#turn-0-face-0") == links.count("#turn-0-voice-0") == 2
    )  # beside the dialogue, and in the card of the step


def test_pictures_of_lanes_are_told_to_those_who_do_not_see_them():
    text = render(sensed.trace())
    page = Page(text)
    drawn = [svg for svg in page.named("svg") if svg.get("role") == "img"]
    ids = {attributes.get("id") for _, attributes in page.tags}
    assert len(drawn) == 4 and all({*(svg["aria-labelledby"] or "").split()} <= ids for svg in drawn)
    assert "<desc" in text and "neutral 74% at 0.4–2.1 s, then sadness 83% at 2.1–4.0 s." in text


def test_the_words_stand_with_their_times():
    page = render(sensed.trace())
    assert '<span dir="auto">really.</span><small>1.6 s</small>' in page
    assert '<li class="unsure"><span dir="auto">fine,</span><small>1.0 s ?</small>' in page


def test_an_hour_makes_no_page_of_megabytes():
    page = render(sensed.trace(sensed.hour(), ()))
    assert len(page) < 500_000 and page.count("<rect") < 1500
    assert "1:00:00" in page


def test_stills_are_shown_once_small_and_few():
    frames = tuple(sensed.keyframe(place / 10) for place in range(30))
    page = render(sensed.trace(frames=frames))
    shown = [image["src"] or "" for image in Page(page).named("img")]
    assert len(shown) == MOST and all(source.startswith("data:image/jpeg;base64,") for source in shown)
    assert sum(map(len, shown)) < 1_500_000 and 'alt="Ana at 2.9 s"' in page


def test_a_still_that_cannot_be_opened_is_left_out():
    assert stills((Keyframe(data="AAAA"), Keyframe(data="no base64"), Keyframe(mime="text/html", data="AAAA"))) == []


def test_stills_stand_near_their_times_and_never_overlap():
    for times in ([0.0, 0.1, 0.2, 3.9], [3.9, 4.0], [2.0], [0.1 * n for n in range(12)]):
        placed = row(stills(tuple(sensed.keyframe(time, 8) for time in times)), 4.0)
        ends = 0.0
        for _, width, gap in placed:
            assert gap >= 0
            ends += gap + width
        assert ends <= 100.2


def test_an_earlier_turn_that_was_sensed_is_there_to_be_opened():
    first = Turn(speaker="Ana", text="Hm.", readings=sensed.picture(), keyframes=(sensed.keyframe(0, 8),))
    turns = (first, Turn(speaker="Ana", text=samples.SAID))
    page = render(samples.one_pass(dialogue=Dialogue(turns=turns)))
    assert "Earlier, as <span" in page and page.count("<img") == 1


def test_the_trace_keeps_the_stills_as_they_were():
    made = sensed.trace()
    before = made.start.model_dump_json()
    render(made)
    assert made.start.model_dump_json() == before


# ── the parts ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_times_are_written_for_people():
    assert [clock(time) for time in (2.14, 65, 3725)] == ["2.1 s", "1:05", "1:02:05"]
    assert Axis.of(90).when(Span(start=61, end=75)) == "1:01–1:15"


@pytest.mark.parametrize("seconds", [0.2, 1, 3.9, 17, 61, 600, 3600, 12 * 3600])
def test_marks_are_few_and_on_the_line(seconds: float):
    marks = Axis.of(seconds).marks
    assert 1 <= len(marks) <= 7 and all(0 <= left <= 100 for left, _ in marks)


@pytest.mark.parametrize("span", [(0, 0), (0, 99), (9.99, 10), (12, 15)])
def test_nothing_is_drawn_beyond_the_line(span: tuple[float, float]):
    place = Axis.of(10).place(Span(start=span[0], end=span[1]))
    assert place.left >= 0 and place.width > 0 and place.left + place.width <= 100.001


def test_moments_are_joined_only_where_there_are_too_many():
    moments = sensed.hour().sensed[0].moments
    assert joined(moments[:50], 60) == list(moments[:50])
    few = joined(moments, 60)
    assert len(few) <= 61 and few[0].start == 0 and few[-1].end == moments[-1].end
    assert sum(few[3].shares.values()) == pytest.approx(1)


def test_many_words_become_sentences():
    words = sensed.hour().words[:120]
    assert [len(group) for group in sentences(words)] == [12] * 10
    assert spoken(words)[1].text.endswith("so.") and spoken(words)[1].when == "4.8 s"
    assert len(sentences(tuple(Word(text="and", start=n, end=n) for n in range(65)))) == 3


def test_every_emotion_of_the_senses_has_a_colour_of_its_own():
    assert {*HUES} == {*label_set(LABELS).labels} and len({*HUES.values()}) == len(HUES)
