"""One folder a step: what it asks, in which words, what it makes of the answer, what of it code can check."""

from heartfelt.agents.audit import AuditSteps
from heartfelt.agents.cause import FindCause
from heartfelt.agents.deliver import Deliver
from heartfelt.agents.forecast import ForecastEmotion
from heartfelt.agents.forecast.vote import VoteOnEmotion
from heartfelt.agents.goal import SetGoal
from heartfelt.agents.perceive import Perceive
from heartfelt.agents.plan import MakePlan
from heartfelt.agents.recall import Recall
from heartfelt.agents.respond import Respond
from heartfelt.agents.scenario import TellScenario
from heartfelt.agents.strategy import ChooseStrategy
from heartfelt.agents.understand import Understand
from heartfelt.agents.view import Services, View

__all__ = [
    "AuditSteps",
    "ChooseStrategy",
    "Deliver",
    "FindCause",
    "ForecastEmotion",
    "MakePlan",
    "Perceive",
    "Recall",
    "Respond",
    "Services",
    "SetGoal",
    "TellScenario",
    "Understand",
    "View",
    "VoteOnEmotion",
]
