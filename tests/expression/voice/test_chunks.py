from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.expression.voice.chunks import CLAUSE, LONGEST, RUN_ON, SENTENCE, Chunk, chunks
from heartfelt.expression.voice.normalise import normalise


def cut(text: str) -> list[Chunk]:
    return list(chunks(normalise(text).pieces))


def said(chunk: Chunk) -> str:
    return " ".join(piece.spoken + piece.mark for piece in chunk.pieces)


def test_sentences_are_spoken_one_by_one():
    assert [(said(chunk), chunk.pause) for chunk in cut("Hello there. How are you? Fine")] == [
        ("Hello there.", SENTENCE),
        ("How are you?", SENTENCE),
        ("Fine", RUN_ON),
    ]


def test_a_long_first_sentence_begins_with_its_first_clauses():
    first, second, *_ = cut("I am so sorry to hear that, and I want you to know that I am here for you whenever you need me.")
    assert (said(first), first.pause) == ("I am so sorry to hear that,", CLAUSE)
    assert said(second).startswith("and I want")


def test_a_first_sentence_without_clauses_is_not_torn():
    assert len(cut("My dear older sister and all of her many children visited us last summer.")) == 2
    assert len(cut("My dear older sister with all of her many children visited us last summer.")) == 1


def test_without_a_mark_it_is_cut_before_a_word_that_opens_a_clause():
    first, *_ = cut("I wanted to tell you something nice because you have been so very kind to all of us this year")
    assert said(first) == "I wanted to tell you something nice"


def test_later_sentences_are_cut_only_where_they_must_be():
    long = " ".join(["somewhere"] * 17)
    assert len(cut(f"Yes. {long}.")) == 2
    assert len(cut(f"Yes. {long} {long}.")) == 3


def test_stretches_grow():
    lengths = [len(said(chunk)) for chunk in cut("so it is, " * 60)]
    assert lengths[0] < 40
    assert lengths[:4] == sorted(lengths[:4])
    assert max(lengths) > 150


@settings(deadline=None)
@given(st.lists(st.text("abc", min_size=1, max_size=300).map(lambda word: word + ","), min_size=1, max_size=30).map(" ".join))
def test_nothing_is_lost_and_nothing_is_too_long(text: str):
    made = cut(text)
    assert "".join(piece.spoken for chunk in made for piece in chunk.pieces).replace(" ", "") == "".join(
        piece.spoken for piece in normalise(text).pieces
    )
    lengths = [sum(len(piece.spoken) + 1 for piece in chunk.pieces) for chunk in made]
    assert max(lengths) <= LONGEST
