"""Voting over models, samples and senses: majority, weighted, calibrated; ties by a stated rule; conflict measured."""

from heartfelt.voting.calibration import Calibration, Labelled, VoterCalibration, calibrated, fit, temper
from heartfelt.voting.disagreement import Disagreement, disagreement
from heartfelt.voting.votes import FLOOR, Cast, Distribution, Tally, TieRule, Vote, majority, weighted

__all__ = [
    "FLOOR",
    "Calibration",
    "Cast",
    "Disagreement",
    "Distribution",
    "Labelled",
    "Tally",
    "TieRule",
    "Vote",
    "VoterCalibration",
    "calibrated",
    "disagreement",
    "fit",
    "majority",
    "temper",
    "weighted",
]
