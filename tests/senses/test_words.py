"""The emotion of each sentence, at the time it was said."""

from heartfelt.records import Word
from heartfelt.senses.words import grouped, placed, words_sensed
from scripts import good

HEARD = tuple(Word(text=f"w{i}", start=float(i), end=i + 0.5) for i in range(10))


async def test_each_sentence_has_its_moment():
    model = good("compact", forecast={"emotion": "sadness"})
    made = await words_sensed(model, "I lost it. It was my mother's ring, you know, and she is gone.", words=HEARD)
    assert [moment.shares for moment in made.moments] == [{"sadness": 1.0}] * 2
    assert made.moments[0].start == 0 and made.moments[-1].end == 9.5 and made.moments[0].end <= made.moments[1].start
    assert (await words_sensed(model, "  ")).note == "Nothing was said."


def test_many_sentences_are_read_in_groups():
    parts = grouped([f"Sentence {i}." for i in range(50)], 12)
    assert len(parts) <= 12 and " ".join(parts).count("Sentence") == 50
    assert grouped(["One."], 12) == ["One."]


def test_typed_words_fill_the_turn():
    spans = placed(["ab", "cdef"], (), 6.0)
    assert [(span.start, span.end) for span in spans] == [(0.0, 2.0), (2.0, 6.0)]
    assert [(span.start, span.end) for span in placed(["a"], (), 0.0)] == [(0.0, 0.0)]
