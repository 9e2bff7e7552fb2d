"""The model's double: answers by script, for tests. Nothing is loaded, nothing is sent, and every run is the same."""

import asyncio

from heartfelt import Listener, Setup
from heartfelt.intake import of_text
from heartfelt.models import Scripted

MODEL = Scripted(
    {
        "forecast": {"why": "They lost a pet.", "emotion": "sad", "conflict": "none"},
        "cause": [
            "no JSON at all",  # refused: the step is asked again and told why
            {"spans": ["My cat died"], "summary": "The cat died.", "category": "Loss & Failure"},
        ],
        "strategy": {"why": "They need warmth.", "choice": "ER"},
        "respond": "Your cat died, and the house must be so quiet now. I am sorry.",
    }
)


async def main() -> None:
    async with Listener(Setup(recipe="trace", memory="none"), model=MODEL) as listener:
        outcome = await listener.answer(of_text("My cat died this morning."))
    print(outcome.reply)
    print(dict(MODEL.calls))
    assert MODEL.calls["cause"] == 2
    assert "could not be used" in MODEL.asked("cause")[1].messages[-1].text


asyncio.run(main())
