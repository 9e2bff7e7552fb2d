"""Who asks what this is, or who reads it, is told."""

import pytest

from heartfelt.safety.honesty import asks_who_reads_it


@pytest.mark.parametrize(
    "said",
    [
        "is this secret",
        "can i talk to someone about something and it stays here?",
        "i just asked if you tell anyone",
        "Can he see it or not?",
        "so do you tell people or not? please promise you won't",
        "Will it be gone?",
        "are you going to tell my mum?",
        "who can read this?",
        "Does this app save what I type?",
        "are these conversations stored?",
    ],
)
def test_who_asks_only_who_reads_it_is_told_only_that(said: str):
    assert asks_who_reads_it(said) == "only"


def test_who_asks_it_beside_other_things_is_told_it_beside_the_reply():
    assert asks_who_reads_it("Before I say more, can my husband see what I write here? He goes through my phone every night.")


@pytest.mark.parametrize(
    "said",
    [
        "Do you tell people you love them often enough, I wonder?",
        "My boss told me a secret and now I can't sleep.",
        "Can he see that I'm trying?",
        "The cake will be gone by Sunday.",
        "I keep what she wrote in a box.",
    ],
)
def test_ordinary_talk_of_secrets_asks_nothing(said: str):
    assert asks_who_reads_it(said) == ""
