"""Planted faults: is the earliest faulty step blamed, is it mended, and are good passes left alone?"""

from heartfelt.evaluation.faults.figures import AuditFigures, Blame, figures
from heartfelt.evaluation.faults.passes import Passes, passes
from heartfelt.evaluation.faults.run import FaultsFolder, run
from heartfelt.evaluation.faults.trial import Trial, trial

__all__ = ["AuditFigures", "Blame", "FaultsFolder", "Passes", "Trial", "figures", "passes", "run", "trial"]
