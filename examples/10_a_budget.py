"""A budget: the turn answers within it and says what it left out. The reply itself is always made."""

import asyncio

from heartfelt import Budget, Listener, Setup
from heartfelt.intake import of_text
from heartfelt.models import Scripted

RIGHT = {"ok": "yes", "finding": "none", "instruction": "none"}
MODEL = Scripted(
    {
        "perceive": {"cues": [{"source": "words", "quote": "so nervous", "meaning": "fear"}], "summary": "nervous"},
        "forecast": {"why": "They say so.", "emotion": "anxious", "conflict": "none"},
        "plan": {"why": "It fits.", "goal": "calm", "stance": "ally", "tactic": "naming what was hard", "tone": "gentle"},
        "respond": "Being so nervous before it starts is hard.",
        "audit": dict.fromkeys(("perceive", "forecast", "plan", "respond"), RIGHT),
    }
)


async def main() -> None:
    for calls in (None, 3, 1):
        setup = Setup(recipe="reflective", memory="none", budget=Budget(calls=calls))
        outcome = await Listener(setup, model=MODEL).answer(of_text("I am so nervous about tomorrow."))
        steps = ", ".join(record.step for record in outcome.best.steps)
        print(f"{calls or 'any number of'} calls: {steps}; left out: {', '.join(outcome.left_out) or 'nothing'}")


asyncio.run(main())
