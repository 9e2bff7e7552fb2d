"""Watch a turn while it happens. An observer is any function that takes an event; it sees everything and changes nothing."""

import asyncio

from heartfelt import Listener, Setup
from heartfelt.events import Audited, Event, PassStarted, StepFinished
from heartfelt.intake import of_text


def watch(event: Event) -> None:
    match event:
        case PassStarted(number=number, started_from=step):
            print(f"pass {number}, from {step}")
        case StepFinished(record=record):
            read = sum(call.prompt_tokens - call.cached_tokens for call in record.calls)
            print(f"  {record.step:9}{record.ms:6.0f} ms  {read:4} tokens read  {len(record.findings)} findings")
        case Audited(audit=audit):
            print(f"  audit blames {audit.blamed or 'nobody'}")
        case _:
            pass


async def main() -> None:
    async with Listener(Setup(), observers=(watch,)) as listener:
        outcome = await listener.answer(of_text("My best friend moved away yesterday."))
        print(outcome.reply)


asyncio.run(main())
