"""The smallest difference that a sample of this size can show, four times out of five, and a sentence that says so."""

from math import sqrt
from statistics import NormalDist
from typing import Literal

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.metric import Metric, checked, defined
from heartfelt.evaluation.metrics.run import Run
from heartfelt.evaluation.statistics.interval import standard_error
from heartfelt.evaluation.statistics.paired import difference_error, paired_tallies
from heartfelt.records import Record

ALPHA, POWER = 0.05, 0.8
_NORMAL = NormalDist()


class Detectable(Record):
    difference: float
    """The smallest that would be found with this power at this alpha, two-sided."""
    around: float
    """The figure at hand."""
    n: int
    """Dialogues in each run."""
    design: Literal["two samples", "paired"]
    alpha: float = ALPHA
    power: float = POWER
    percent: bool = True
    """Whether the figure is a share, and is told in points."""

    def tells_apart(self, a: float, b: float) -> bool:
        return abs(a - b) >= self.difference

    @property
    def words(self) -> str:
        """What a sample of this size can show."""
        how = "compared with itself on the same dialogues" if self.design == "paired" else "in each of two samples"
        return (
            f"With {self.n} dialogues ({how}), around {self._told(self.around)} a difference must be at least "
            f"{self._apart(self.difference)} to be found with a probability of {self.power:g} at alpha {self.alpha:g}."
        )

    def sentence(self, a: float, b: float) -> str:
        """Whether two figures can be told apart at all by such a sample."""
        can = "can" if self.tells_apart(a, b) else "cannot"
        return (
            f"With {self.n} dialogues, {self._told(a)} against {self._told(b)} {can} be told apart: the difference is "
            f"{self._apart(abs(a - b))}, and the smallest that would be found {self._often()} is "
            f"{self._apart(self.difference)}."
        )

    def _often(self) -> str:
        return "four times out of five" if self.power == POWER else f"with a probability of {self.power:g}"

    def _told(self, value: float) -> str:
        return f"{100 * value:.1f} %" if self.percent else f"{value:.3g}"

    def _apart(self, value: float) -> str:
        return f"{100 * value:.1f} points" if self.percent else f"{value:.3g}"


def detectable_proportion(share: float, n: int, *, alpha: float = ALPHA, power: float = POWER) -> Detectable:
    """For a share such as accuracy, each of two runs over n independent dialogues of its own.

    The spread of the other share depends on the difference that is sought, so it is found by halving. Of the two directions the
    larger difference counts; one that would leave 0 to 1 is no direction.
    """
    _asked(n, alpha, power)
    if not 0 <= share <= 1:
        raise InputError(f"A share lies between 0 and 1, and this one is {share}.")
    found = [each for each in (_reach(share, n, way, alpha, power) for way in (1, -1)) if each is not None]
    # Where neither direction is long enough, nothing short of everything can be shown.
    return Detectable(difference=max(found, default=1.0), around=share, n=n, design="two samples", alpha=alpha, power=power)


def detectable_paired_proportion(
    discordant: float, n: int, *, around: float, alpha: float = ALPHA, power: float = POWER
) -> Detectable:
    """For two runs over the same n dialogues of which a share `discordant` is right in one run alone (Connor,
    Biometrics 1987)."""
    _asked(n, alpha, power)
    if not 0 <= discordant <= 1:
        raise InputError(f"A share lies between 0 and 1, and this one is {discordant}.")
    z, w = _z(alpha, power)
    # n·d² = (z·√ψ + w·√(ψ − d²))², solved for d; beyond ψ there is nothing to differ by.
    low, high = 0.0, sqrt(discordant)
    for _ in range(60):
        middle = (low + high) / 2
        needed = z * sqrt(discordant) + w * sqrt(max(0.0, discordant - middle**2))
        low, high = (middle, high) if middle * sqrt(n) < needed else (low, middle)
    return Detectable(difference=high, around=around, n=n, design="paired", alpha=alpha, power=power)


def detectable_mean(
    spread: float,
    n: int,
    *,
    around: float,
    design: Literal["two samples", "paired"],
    alpha: float = ALPHA,
    power: float = POWER,
) -> Detectable:
    """For a mean with this standard deviation over dialogues; if paired, that of the differences between the two runs."""
    _asked(n, alpha, power)
    if spread < 0:
        raise InputError(f"A standard deviation is not negative, and this one is {spread}.")
    samples = 2 if design == "two samples" else 1
    reach = sum(_z(alpha, power)) * spread * sqrt(samples / n)
    return Detectable(difference=reach, around=around, n=n, design=design, alpha=alpha, power=power, percent=False)


def detectable(metric: Metric, run: Run, *, alpha: float = ALPHA, power: float = POWER) -> Detectable:
    """For any metric, between this run and one over other dialogues, as many and as varied."""
    tally = defined(metric, run)
    reach = sum(_z(alpha, power)) * sqrt(2) * standard_error(tally)
    value, n = checked(metric, tally.whole()), int((tally.rows > 0).sum())
    return Detectable(
        difference=reach, around=value, n=n, design="two samples", alpha=alpha, power=power, percent=_is_share(metric)
    )


def detectable_paired(metric: Metric, a: Run, b: Run, *, alpha: float = ALPHA, power: float = POWER) -> Detectable:
    """For any metric, between two runs over the same dialogues that differ as these two do."""
    pair = paired_tallies(metric, a, b)
    reach = sum(_z(alpha, power)) * difference_error(pair)
    value = checked(metric, pair.a.whole())
    return Detectable(
        difference=reach, around=value, n=pair.dialogues, design="paired", alpha=alpha, power=power, percent=_is_share(metric)
    )


def _reach(share: float, n: int, way: int, alpha: float, power: float) -> float | None:
    z, w = _z(alpha, power)
    low, high = 0.0, 1 - share if way > 0 else share

    def short(apart: float) -> bool:
        other = share + way * apart
        mean = (share + other) / 2
        return apart * sqrt(n) < z * sqrt(2 * mean * (1 - mean)) + w * sqrt(share * (1 - share) + other * (1 - other))

    if short(high):
        return None
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if short(middle) else (low, middle)
    return high


def _z(alpha: float, power: float) -> tuple[float, float]:
    return _NORMAL.inv_cdf(1 - alpha / 2), _NORMAL.inv_cdf(power)


def _asked(n: int, alpha: float, power: float) -> None:
    if n < 2 or not 0 < alpha < 1 or not 0.5 <= power < 1:
        raise InputError(
            f"A detectable difference needs two dialogues or more, alpha between 0 and 1 and power from 0.5 to 1; "
            f"these are {n}, {alpha} and {power}."
        )


def _is_share(metric: Metric) -> bool:
    return metric.about.unit == "share"
