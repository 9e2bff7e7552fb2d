import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from heartfelt.errors import InputError, UnknownName
from heartfelt.voting import Calibration, Tally, Vote, calibrated, disagreement, fit, majority, temper, weighted

LABELS = ("sad", "angry", "joyful", "afraid")
RULES = (majority, weighted)

shares = st.dictionaries(st.sampled_from(LABELS), st.floats(0.01, 1), min_size=1)
ballots = st.one_of(st.sampled_from(LABELS), shares)
weights = st.floats(0.1, 10)


@st.composite
def elections(draw: st.DrawFn) -> list[Vote]:
    drawn = draw(st.lists(st.tuples(ballots, weights), min_size=1, max_size=6))
    return [Vote(voter=f"v{at}", ballot=ballot, weight=weight) for at, (ballot, weight) in enumerate(drawn)]


def votes(*ballots: str | dict[str, float] | None) -> list[Vote]:
    return [Vote(voter=f"v{at}", ballot=ballot) for at, ballot in enumerate(ballots)]


# -- the rules ---------------------------------------------------------------------------------------------------------


def test_majority_counts_first_choices_and_says_who_voted_for_what():
    tally = majority(votes("sad", {"angry": 0.6, "sad": 0.4}, "sad", None))
    assert (tally.winner, tally.tie, tally.silent) == ("sad", "no tie", ("v3",))
    assert tally.scores == pytest.approx({"sad": 2 / 3, "angry": 1 / 3})
    assert tally.margin == pytest.approx(1 / 3)
    assert [(each.voter, each.label) for each in tally.cast] == [("v0", "sad"), ("v1", "angry"), ("v2", "sad")]


def test_weights_multiply_the_votes_own():
    two = [Vote(voter="a", ballot="sad", weight=0.5), Vote(voter="b", ballot="angry")]
    assert weighted(two).winner == "angry"
    assert weighted(two, {"a": 4, "b": 1}).winner == "sad"


def test_one_certainty_does_not_outweigh_two_firm_opinions():
    tally = weighted(votes("sad", {"angry": 0.95, "sad": 0.05}, {"angry": 0.95, "sad": 0.05}))
    assert tally.winner == "angry"


def test_the_pool_prefers_what_all_find_possible():
    tally = weighted(votes({"sad": 0.9, "afraid": 0.1}, {"angry": 0.9, "afraid": 0.1}))
    assert tally.winner == "afraid"


def test_no_vote_at_all_is_an_error():
    for nobody in ([], votes(None, None)):
        with pytest.raises(InputError, match="No voter cast a vote"):
            majority(nobody)
    with pytest.raises(InputError, match="weight zero"):
        weighted([Vote(voter="a", ballot="sad", weight=0)])


def test_a_voter_of_weight_zero_is_silent_in_a_pool():
    tally = weighted([Vote(voter="a", ballot="sad", weight=0), Vote(voter="b", ballot="angry")])
    assert (tally.winner, tally.silent) == ("angry", ("a",))


def test_weights_must_name_every_voter_and_be_sound():
    with pytest.raises(UnknownName, match="v1"):
        weighted(votes("sad", "angry"), {"v0": 1})
    with pytest.raises(InputError, match="not negative"):
        weighted(votes("sad"), {"v0": -1})


@pytest.mark.parametrize("ballot", ["", {}, {"sad": -1.0}, {"sad": 0.0}, {"sad": math.nan}, {"sad": math.inf}])
def test_a_ballot_without_an_opinion_is_refused(ballot: str | dict[str, float]):
    with pytest.raises(ValidationError):
        Vote(voter="a", ballot=ballot)


# -- ties --------------------------------------------------------------------------------------------------------------


def test_a_tie_goes_to_the_higher_summed_confidence():
    tally = majority(votes({"sad": 0.6, "angry": 0.4}, {"angry": 0.9, "sad": 0.1}))
    assert (tally.winner, tally.tie, tally.margin) == ("angry", "summed confidence", 0)


@pytest.mark.parametrize("rule", RULES)
def test_then_to_the_earliest_voter(rule):
    assert (rule(votes("sad", "angry")).winner, rule(votes("angry", "sad")).winner) == ("sad", "angry")
    assert rule(votes("sad", "angry")).tie == "order of voters"


def test_then_to_the_order_of_labels():
    # Neither tied label is anybody's first choice: the two that are possible to both voters beat the two extremes.
    torn = votes({"joyful": 0.6, "sad": 0.2, "angry": 0.2}, {"afraid": 0.6, "sad": 0.2, "angry": 0.2})
    assert (weighted(torn).winner, weighted(torn).tie) == ("angry", "order of labels")
    assert weighted(torn, label_order=LABELS).winner == "sad"


def test_a_torn_voter_chooses_by_the_order_of_labels():
    assert majority(votes({"sad": 0.5, "angry": 0.5}), label_order=LABELS).cast[0].label == "sad"
    assert majority(votes({"sad": 0.5, "angry": 0.5})).cast[0].label == "angry"


def test_rounding_does_not_break_a_tie():
    tally = weighted(votes("sad", "sad", "angry"), {"v0": 0.1, "v1": 0.2, "v2": 0.3})
    assert tally.tie == "order of voters"


# -- properties --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data(), election=elections())
def test_order_matters_only_where_the_tie_rule_says_so(rule, data: st.DataObject, election: list[Vote]):
    one, other = rule(election), rule(data.draw(st.permutations(election)))
    assert other.scores == pytest.approx(one.scores)
    assert other.tie == one.tie
    if one.tie != "order of voters":
        assert other.winner == one.winner


@pytest.mark.parametrize("rule", RULES)
@given(election=elections(), weight=weights, share=st.floats(0.5, 1))
def test_an_agreeing_vote_never_dethrones_the_winner(rule, election: list[Vote], weight: float, share: float):
    winner = rule(election).winner
    agreeing = {winner: share, "content": (1 - share) / 2, "proud": (1 - share) / 2}
    assert rule([*election, Vote(voter="late", ballot=agreeing, weight=weight)]).winner == winner


@given(election=elections(), scale=st.floats(1e-3, 1e3))
def test_only_the_proportions_of_weights_matter(election: list[Vote], scale: float):
    one, other = weighted(election), weighted(election, {vote.voter: scale for vote in election})
    assert other.scores == pytest.approx(one.scores)
    assert (other.winner, other.tie) == (one.winner, one.tie)


@pytest.mark.parametrize("rule", RULES)
@given(election=elections())
def test_scores_add_up_and_the_record_survives_json(rule, election: list[Vote]):
    tally = rule(election)
    assert math.fsum(tally.scores.values()) == pytest.approx(1)
    assert math.fsum(each.weight for each in tally.cast) == pytest.approx(1)
    assert next(iter(tally.scores)) == tally.winner
    assert 0 <= tally.margin <= 1
    assert Tally.model_validate_json(tally.model_dump_json()) == tally


@given(election=elections())
def test_disagreement_is_bounded_and_dissenters_chose_otherwise(election: list[Vote]):
    found = disagreement(election)
    assert 0 <= found.score <= 1
    assert all(each.label != found.winner for each in found.dissenters)


@given(ballot=ballots, count=st.integers(1, 5))
def test_the_like_minded_do_not_disagree(ballot: str | dict[str, float], count: int):
    assert disagreement(votes(*[ballot] * count)).score == pytest.approx(0, abs=1e-9)


# -- disagreement ------------------------------------------------------------------------------------------------------


def test_two_camps_are_a_full_conflict_and_name_the_dissenter():
    found = disagreement([Vote(voter="words", ballot="sad", weight=1), Vote(voter="face", ballot="joyful", weight=1)])
    assert found.score == pytest.approx(1)
    assert [(each.voter, each.label) for each in found.dissenters] == [("face", "joyful")]


def test_an_unreliable_voter_makes_little_conflict():
    sure, unsure = Vote(voter="words", ballot="sad"), Vote(voter="face", ballot="joyful", weight=0.01)
    assert disagreement([sure, unsure]).score < 0.1


def test_dissent_can_be_measured_against_another_label():
    assert [each.voter for each in disagreement(votes("sad", "angry"), winner="angry").dissenters] == ["v0"]


# -- calibration -------------------------------------------------------------------------------------------------------


def answers(temperature: float, *, count: int = 4000, seed: int = 7) -> list[tuple[dict[str, float], str]]:
    """A voter whose true probabilities are known and who states them sharpened by the temperature."""
    random = np.random.default_rng(seed)
    made = []
    for honest in random.dirichlet(np.full(len(LABELS), 0.8), size=count) * 0.98 + 0.005:
        truth = LABELS[random.choice(len(LABELS), p=honest / honest.sum())]
        made.append((temper(dict(zip(LABELS, honest.tolist(), strict=True)), 1 / temperature), truth))
    return made


@pytest.mark.parametrize("temperature", [0.6, 1.0, 2.5])
def test_the_fit_recovers_a_known_temperature(temperature: float):
    found = fit({"model": answers(temperature)}).of("model")
    assert found.temperature == pytest.approx(temperature, rel=0.08)
    assert found.nll_after <= found.nll_before


def test_weights_rise_with_accuracy_and_vanish_at_chance():
    right, wrong = ({"sad": 0.9, "angry": 0.1}, "sad"), ({"sad": 0.9, "angry": 0.1}, "angry")
    found = fit({"good": [right] * 9 + [wrong], "fair": [right] * 6 + [wrong] * 4, "bad": [right] + [wrong] * 9})
    assert found.of("good").weight > found.of("fair").weight > found.of("bad").weight == 0
    assert found.of("good").accuracy == 0.9
    assert found.of("good").weight == pytest.approx(math.log(10 / 2))


def test_a_voter_below_one_half_counts_where_labels_are_many():
    many = [f"label {at}" for at in range(32)]
    hits = [({many[0]: 1.0}, many[0])] * 45 + [({many[0]: 1.0}, many[1])] * 55
    assert fit({"model": hits}, labels=many).of("model").weight > 1


def test_calibration_tames_an_overconfident_voter():
    known = fit({"loud": answers(4.0, count=500), "calm": answers(1.0, count=500)})
    sharp, even = {"sad": 0.97, "angry": 0.03}, {"sad": 0.15, "angry": 0.85}
    election = [Vote(voter="loud", ballot=sharp), Vote(voter="calm", ballot=even)]
    assert weighted(election).winner == "sad"
    tally = calibrated(election, known)
    assert (tally.winner, tally.rule) == ("angry", "calibrated")


def test_calibration_survives_json_and_knows_its_voters():
    known = fit({"model": answers(2.0, count=50)})
    assert Calibration.model_validate_json(known.model_dump_json()) == known
    with pytest.raises(UnknownName, match="stranger"):
        calibrated([Vote(voter="stranger", ballot="sad")], known)
    silent = [Vote(voter="model", ballot="sad"), Vote(voter="stranger", ballot=None)]
    assert calibrated(silent, known).silent == ("stranger",)


def test_a_fit_without_ground_is_refused():
    with pytest.raises(InputError, match="no labelled answers"):
        fit({"model": []}, labels=LABELS)
    with pytest.raises(InputError, match="two labels"):
        fit({"model": [({"sad": 1.0}, "sad")]})
    with pytest.raises(UnknownName, match="happy"):
        fit({"model": [({"happy": 1.0}, "sad")]}, labels=LABELS)


@given(ballot=shares, temperature=st.floats(0.2, 5))
def test_tempering_keeps_the_order_and_the_sum(ballot: dict[str, float], temperature: float):
    before = Vote(voter="a", ballot=ballot).distribution
    after = temper(before, temperature)
    assert math.fsum(after.values()) == pytest.approx(1)
    assert after[max(before, key=before.__getitem__)] == max(after.values())
