"""The reply on its way out: words are told once, in order, and what must not be said stops them."""

from tests.scripts import DIALOGUE, good, listening

from heartfelt.reply_stream import ReplyStream


def stream(*, stops: str = "") -> tuple[ReplyStream, list[tuple[int, str]]]:
    told: list[tuple[int, str]] = []
    return ReplyStream(
        lambda number, piece: told.append((number, piece)), (lambda each: stops in each) if stops else None
    ), told


def test_where_nothing_is_held_back_words_are_told_as_they_come():
    reply, told = stream()
    for piece in ("I am", " sorry. How", " was it?"):
        reply.write(piece)
    reply.finish("I am sorry. How was it?")
    assert told == [(0, "I am"), (0, " sorry. How"), (0, " was it?")]


def test_what_is_looked_at_is_told_by_the_sentence():
    reply, told = stream(stops="stupid")
    for piece in ("I am", " sorry. How", " was it?"):
        reply.write(piece)
    assert told == [(0, "I am sorry.")]
    reply.finish("I am sorry. How was it?")
    assert told == [(0, "I am sorry."), (0, " How was it?")]


def test_after_a_sentence_that_must_not_be_said_comes_only_what_is_added():
    reply, told = stream(stops="stupid")
    reply.write("I am sorry. That was stupid. How was it?")
    reply.finish("I am sorry. That was stupid. How was it?")
    reply.add(0, "I am sorry. What happened then?")
    assert "".join(piece for _, piece in told) == "I am sorry. What happened then?"


def test_another_pass_begins_from_nothing():
    reply, told = stream()
    reply.write("One.")
    reply.start(1)
    reply.write("Two.")
    assert told == [(0, "One."), (1, "Two.")]


async def test_whoever_speaks_hears_the_words_of_the_reply():
    heard: list[str] = []
    outcome = await listening("direct", good()).answer(DIALOGUE, on_words=heard.append)
    assert "".join(heard) == outcome.reply
