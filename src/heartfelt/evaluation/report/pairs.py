"""Two conditions on the items that both answered: how far apart, whether beyond chance, and what such a sample could show."""

from collections.abc import Sequence

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.evaluation.experiments.answered import GridPlace
from heartfelt.evaluation.experiments.results import Results, Whose
from heartfelt.evaluation.metrics.metric import Metric
from heartfelt.evaluation.report import told
from heartfelt.evaluation.statistics.paired import Compared, compare, holm
from heartfelt.evaluation.statistics.power import Detectable, detectable_paired
from heartfelt.records import Record

ALPHA = 0.05


class PairedDifference(Record):
    """A figure of one condition against that of another, over the items that both answered."""

    compared: Compared
    """With the p-value that is corrected over its table, once it stands in one."""
    detectable: Detectable
    unit: str
    better: str
    items: int
    verdict: str = ""
    """`better`, `worse`, `more`, `less`, `the same` or `not told apart`."""
    sentence: str = ""
    """The same with its reasons."""

    @property
    def beyond_chance(self) -> bool:
        p = self.compared.adjusted_p
        return p is not None and p < ALPHA


Side = tuple[Results, GridPlace]


def difference(metric: Metric, of: Whose, a: Side, b: Side) -> PairedDifference:
    """Of a from b. Both are cut to the items that both answered, because a condition may have been asked fewer."""
    common = answered_items(*a) & answered_items(*b)
    if not common:
        raise InputError(
            f"'{a[1].condition}' and '{b[1].condition}' have no answered item in common, so they cannot be compared."
        )
    first, second = (results.run(place, metric, of, among=common) for results, place in (a, b))
    return PairedDifference(
        compared=compare(metric, first, second),
        detectable=detectable_paired(metric, first, second),
        unit=metric.about.unit,
        better=metric.about.better,
        items=len(common),
    )


def answered_items(results: Results, place: GridPlace) -> set[str]:
    return {row.item for row in results.answered(place) if row.failed is None}


def judged(table: Sequence[PairedDifference]) -> list[PairedDifference]:
    """The differences of one table, corrected for how many there are, each with its verdict."""
    adjusted = holm([each.compared.p for each in table])
    return [_judged(each, p, len(table)) for each, p in zip(table, adjusted, strict=True)]


def reason(error: HeartfeltError) -> str:
    """Why there is no figure, in one line."""
    return " ".join(str(error).split())


def _judged(each: PairedDifference, adjusted: float, of: int) -> PairedDifference:
    found = each.model_copy(update={"compared": each.compared.model_copy(update={"adjusted_p": adjusted})})
    verdict = _verdict(found)
    return found.model_copy(update={"verdict": verdict, "sentence": _sentence(found, verdict, of)})


def _verdict(each: PairedDifference) -> str:
    apart = each.compared.difference
    if not each.beyond_chance:
        return "the same" if apart == 0 and each.detectable.difference == 0 else "not told apart"
    if each.better == "neither":
        return "more" if apart > 0 else "less"
    return "better" if (apart > 0) == (each.better == "higher") else "worse"


def _sentence(each: PairedDifference, verdict: str, of: int) -> str:
    found, unit = each.compared, each.unit
    sizes = f"{told.value(found.a, unit)} against {told.value(found.b, unit)} {told.unit_of(unit)}".rstrip()
    over = f"over the {told.count(found.dialogues)} dialogues that both answered"
    p = f"p {_equals(found.p)}; {_equals(found.adjusted_p)} after Holm's correction over {of}"
    if verdict == "the same":
        return f"{sizes} {over}: the same in every one of them."
    if verdict != "not told apart":
        return f"{sizes} {over}: {verdict} beyond chance ({p})."
    least = told.apart(each.detectable.difference, unit).lstrip("+")
    return (
        f"{sizes} {over}: they cannot be told apart ({p}). Such a sample shows a difference of {least} four times out of five."
    )


def _equals(p: float | None) -> str:
    text = told.chance(1.0 if p is None else p)
    return text if text.startswith("<") else f"= {text}"
