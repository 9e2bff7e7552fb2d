"""A dialogue with a history. The last turn is answered, and the turns before it are read."""

import asyncio

from heartfelt import Dialogue, Listener, Setup, Turn

FIRST = "Do you remember the job I applied for?"
THEN = "They called this morning. I got it! I start on Monday."


async def main() -> None:
    async with Listener(Setup(recipe="trace")) as listener:
        turns = (Turn(speaker="Ana", text=FIRST),)
        outcome = await listener.answer(Dialogue(listener="Ben", turns=turns))
        print(f"Ana: {FIRST}\nBen: {outcome.reply}")

        turns = (*turns, Turn(speaker="Ben", text=outcome.reply), Turn(speaker="Ana", text=THEN))
        outcome = await listener.answer(Dialogue(listener="Ben", turns=turns))
        print(f"Ana: {THEN}\nBen: {outcome.reply}")


asyncio.run(main())
