"""Record a turn, read the trace back, change what one step said, and see what follows. Steps before the edit are kept."""

import asyncio
import tempfile
from pathlib import Path

from heartfelt import Edit, Listener, Setup, Trace, TraceWriter
from heartfelt.intake import of_text


async def main(folder: Path) -> None:
    async with Listener(Setup(recipe="trace", memory="none")) as listener:
        dialogue = of_text("My flight is in an hour and I am stuck in traffic.")
        first = await listener.answer(dialogue, observers=(TraceWriter(folder / "trace.jsonl"),))

        recorded = Trace.read(folder / "trace.jsonl")
        edit = Edit.parse("strategy.choice=EX")
        second = await listener.answer_again(dialogue, recorded.best, edits=(edit,))

    for name, outcome in (("as recorded", first), ("with strategy EX", second)):
        print(f"{name}: {outcome.best.output('strategy').choice}: {outcome.reply}")
    assert second.best.steps[0] == recorded.best.steps[0], "what stands before the edit is kept"
    assert second.best.steps[2].edited, "the edited step is marked"


with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(Path(folder)))
