"""Turn-taking by its table alone: no socket, no clock."""

import pytest

from heartfelt.server.live.turn_taking import TABLE, Action, Happening, TurnTaking, is_complete, wants_to_go_on


def after(*happenings: Happening) -> tuple[TurnTaking, list[Action]]:
    person, done = TurnTaking(), list[Action]()
    for happening in happenings:
        done += person.after(happening)
    return person, done


def test_words_and_then_a_silence_that_lasts_are_a_turn():
    person, done = after("voice", "words", "no voice", "end")
    assert person.state == "silent" and done[-1] == "take turn" and done.count("wait") == 1


def test_who_goes_on_after_a_pause_is_waited_for_again():
    person, done = after("voice", "words", "no voice", "voice")
    assert person.state == "speaking on" and "take turn" not in done and done[-2:] == ["stop waiting", "interrupt"]


def test_a_cough_is_no_turn_and_lets_the_reply_go_on():
    person, done = after("voice", "no voice")
    assert person.state == "silent" and done[-1] == "release" and "wait" not in done


def test_words_that_are_understood_late_are_waited_on_too():
    person, done = after("voice", "no voice", "words")
    assert person.state == "paused" and done[-1] == "wait"


def test_a_button_ends_the_turn_of_somebody_who_still_speaks():
    person, done = after("voice", "words", "end")
    assert person.state == "speaking" and done[-1] == "take turn"


@pytest.mark.parametrize("words", ["I could not, because", "My grandson", "So I went to the", "And then…", "I told him, um,"])
def test_who_is_in_the_middle_of_a_thought_is_waited_for(words: str):
    assert wants_to_go_on(words) and not is_complete(words)


@pytest.mark.parametrize(
    ("words", "complete"),
    [("I failed my test today.", True), ("Is that so bad?", True), ("My grandson took steps", False), ("No.", False)],
)
def test_a_whole_sentence_can_stand_as_it_is(words: str, complete: bool):
    assert is_complete(words) == complete and not wants_to_go_on(words)


@pytest.mark.parametrize("happening", ["no voice", "end"])
def test_where_nobody_spoke_nothing_ends(happening: Happening):
    person, done = after(happening)
    assert person.state == "silent" and not done


def test_every_state_is_reached_and_left():
    reached = {state for state, _ in TABLE.values()}
    assert reached == {state for state, _ in TABLE}
