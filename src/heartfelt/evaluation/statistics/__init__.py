"""Statistics: how sure a figure is, whether two runs differ, and what a sample of this size can show at all.

Everything resamples dialogues, because turns of one dialogue are alike, and gives the same answer for the same seed.
"""

from heartfelt.evaluation.statistics.agreement import alpha_interval, krippendorff_alpha
from heartfelt.evaluation.statistics.holm import corrected, holm
from heartfelt.evaluation.statistics.interval import Interval, interval, standard_error
from heartfelt.evaluation.statistics.judging import JudgedCriterion, Judgement, judged, stability
from heartfelt.evaluation.statistics.mcnemar import McNemar, mcnemar
from heartfelt.evaluation.statistics.paired import Compared, compare
from heartfelt.evaluation.statistics.power import (
    Detectable,
    detectable,
    detectable_mean,
    detectable_paired,
    detectable_paired_proportion,
    detectable_proportion,
)
from heartfelt.evaluation.statistics.slices import Slice, sliced

__all__ = [
    "Compared",
    "Detectable",
    "Interval",
    "JudgedCriterion",
    "Judgement",
    "McNemar",
    "Slice",
    "alpha_interval",
    "compare",
    "corrected",
    "detectable",
    "detectable_mean",
    "detectable_paired",
    "detectable_paired_proportion",
    "detectable_proportion",
    "holm",
    "interval",
    "judged",
    "krippendorff_alpha",
    "mcnemar",
    "sliced",
    "stability",
    "standard_error",
]
