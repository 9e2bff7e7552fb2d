from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.page import render
from heartfelt.page.highlight import Quote, TextPiece, find, highlighted, quotes_of
from heartfelt.records import Cause, Cue, Dialogue, Evidence, Turn

from . import samples


def quote(text: str, origin: str = "cue", meaning: str = "m") -> Quote:
    return Quote(text, origin, meaning)


def marked(pieces: list[TextPiece]) -> list[tuple[str, list[str]]]:
    return [(piece.text, [quote.text for quote in piece.quotes]) for piece in pieces if piece.quotes]


def test_a_quote_is_found_despite_case_spaces_edges_and_the_shape_of_quotation_marks():
    text = "Well, I  don’t know\nhow."
    assert find('"i don\'t KNOW how."', text) == (6, 23)


def test_whole_words_are_found_before_parts_of_words():
    assert find("art", "heart of art") == (9, 12)
    assert find("心", "我的心很痛") == (2, 3)


def test_nothing_is_found_for_a_quote_of_nothing_or_of_what_was_not_said():
    assert find(" … ", "anything") is None
    assert find("my dog", samples.SAID) is None


def test_a_quote_is_no_pattern():
    assert find("(.*)", "all of it") is None
    assert find("a+b", "so a+b it is") == (3, 6)


def test_overlapping_quotes_share_a_piece():
    (pieces,) = highlighted(["one two three"], [quote("one two"), quote("two three", "cause")])
    assert marked(pieces) == [("one ", ["one two"]), ("two", ["one two", "two three"]), (" three", ["two three"])]
    assert pieces[1].origins == ["cue", "cause"]


def test_a_quote_is_marked_once_in_the_latest_turn_that_has_it():
    first, second, third = highlighted(["so sad", "so sad", "fine"], [quote("so sad")])
    assert not marked(first)
    assert marked(second) == [("so sad", ["so sad"])]
    assert not marked(third)


def test_only_words_are_looked_for_in_the_text():
    evidence = Evidence(cues=(Cue(source="face", quote="a frown", meaning="x"), Cue(quote="I failed", meaning="y")))
    cause = Cause(spans=("my exam",), category="Loss & Failure")
    assert [(q.text, q.origin) for q in quotes_of([evidence, cause])] == [("I failed", "cue"), ("my exam", "cause")]


@given(text=st.text(max_size=80), quotes=st.lists(st.text(max_size=20), max_size=5), data=st.data())
def test_the_pieces_put_together_are_the_text(text: str, quotes: list[str], data: st.DataObject):
    places = st.tuples(st.integers(0, 80), st.integers(0, 80))
    quotes += [text[a:b] for a, b in data.draw(st.lists(places, max_size=5))]
    (pieces,) = highlighted([text], [quote(q) for q in quotes])
    assert "".join(piece.text for piece in pieces) == text


class Words(HTMLParser):
    """The text of the first bubble."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.inside, self.text, self.marks = False, "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "p" and dict(attrs).get("class") == "words" and not self.text:
            self.inside = True
        self.marks += self.inside and tag == "mark"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "p"

    def handle_data(self, data: str) -> None:
        self.text += data if self.inside else ""


TYPED = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=60).filter(str.strip)


@settings(deadline=None, max_examples=60)
@given(text=TYPED, span=st.tuples(st.integers(0, 30), st.integers(0, 60)))
def test_the_page_shows_the_text_as_it_was_typed(text: str, span: tuple[int, int]):
    made = samples.outputs() | {"perceive": Evidence(cues=(Cue(quote=text[slice(*span)], meaning="<i>"),))}
    words = Words()
    words.feed(render(samples.one_pass(made, Dialogue(turns=(Turn(speaker="Ana", text=text),)))))
    assert words.text == text


def test_the_page_marks_cues_and_causes():
    page = render(samples.one_pass())
    assert '<mark class="cue" tabindex="0" title="dread">my parents are furious</mark>' in page
    assert '<mark class="cause" tabindex="0" title="What set it off: The exam was failed.">I failed my exam</mark>' in page
