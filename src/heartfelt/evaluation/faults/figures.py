"""From trials to figures, each with its interval over dialogues."""

from collections.abc import Callable

from heartfelt.errors import InputError
from heartfelt.evaluation.faults.blame import Blame, blame
from heartfelt.evaluation.faults.estimate import Estimate, share
from heartfelt.evaluation.faults.trial import Trial
from heartfelt.records import Record


class AuditFigures(Record):
    trials: int
    """Passes that were judged."""
    failed: int
    """Passes that could not be; no figure counts them."""
    dialogues: int
    faulty: int
    clean: int
    blame: tuple[Blame, ...]
    """By the whole audit, by its code checks alone, by the model alone."""
    repaired: Estimate
    """Of all faulty passes, those whose chosen pass has none of the planted outputs and something right in their place."""
    repaired_of_blamed: Estimate
    """The same among those in which the right step was blamed."""
    repaired_steps: dict[str, Estimate]
    """The same by the step that was to blame."""
    gone: Estimate
    """Of all faulty passes, those whose chosen pass has none of the planted outputs, right or not."""
    changed: Estimate
    """Of clean passes, those in which something was changed."""
    worse: Estimate
    """Of clean passes, those in which something that was right is not any more."""
    worse_faulty: Estimate
    """Of faulty passes, those in which something that was right is not any more."""
    named: Estimate
    """Passes whose chosen forecast is the gold emotion itself, of those whose gold is so fine."""
    calls: float
    """To the model, a pass in the mean; with its refinements."""


def figures(trials: list[Trial]) -> AuditFigures:
    """Of the trials that did not fail; an error where all of them did."""
    whole = [each for each in trials if each.failed is None]
    if not whole:
        why = trials[0].failed.message if trials and trials[0].failed else "there is none"
        raise InputError(f"No pass could be judged, so there is nothing to report: {why}")
    faulty, clean = [each for each in whole if each.faulty], [each for each in whole if not each.faulty]
    named = [each for each in whole if each.named is not None]
    return AuditFigures(
        trials=len(whole),
        failed=len(trials) - len(whole),
        dialogues=len({each.dialogue for each in whole}),
        faulty=len(faulty),
        clean=len(clean),
        blame=(blame(whole, "audit"), blame(whole, "code"), blame(whole, "model")),
        repaired=_share(faulty, lambda each: each.repaired),
        repaired_of_blamed=_share([each for each in faulty if each.blamed_rightly], lambda each: each.repaired),
        repaired_steps=_by_step(faulty),
        gone=_share(faulty, lambda each: set(each.faulty) <= set(each.gone)),
        changed=_share(clean, lambda each: bool(each.changed)),
        worse=_share(clean, lambda each: each.worse),
        worse_faulty=_share(faulty, lambda each: each.worse),
        named=_share(named, lambda each: each.named is True),
        calls=sum(each.calls for each in whole) / len(whole),
    )


def _by_step(faulty: list[Trial]) -> dict[str, Estimate]:
    steps = dict.fromkeys(step for each in faulty for step in each.steps)
    return {
        step: _share([each for each in faulty if each.culprit == step], lambda each: each.repaired)
        for step in steps
        if any(each.culprit == step for each in faulty)
    }


def _share(trials: list[Trial], holds: Callable[[Trial], bool]) -> Estimate:
    return share([each.dialogue for each in trials], [holds(each) for each in trials])
