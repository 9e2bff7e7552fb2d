"""`heartfelt chat`: talk in the terminal. Nothing is stored unless you ask for it."""

import asyncio
import contextlib
import sys
import threading
from pathlib import Path

from heartfelt.budget import Budget, patient
from heartfelt.cli import options as o
from heartfelt.cli.console import complain, err, out
from heartfelt.cli.show import tell
from heartfelt.errors import HeartfeltError, InputError, UsageError
from heartfelt.events import Event, PassStarted, StepFinished, StepStarted, Wrote
from heartfelt.files import writing
from heartfelt.intake import PERSON, cleaned
from heartfelt.listener import Listener
from heartfelt.page import write_page
from heartfelt.records import Dialogue, Outcome, Turn
from heartfelt.safety.honesty import DISCLOSURE
from heartfelt.safety.respond.services import known
from heartfelt.safety.settings import Safety
from heartfelt.setup import Setup
from heartfelt.trace import Trace

HELP = "/why  how the last answer came about · /page FILE  the same as a page · /new  start over · /recipe NAME · /quit"


def chat(
    *,
    recipe: o.RecipeName = "heartfelt",
    model: o.ModelAddress = "embedded:",
    memory: o.MemoryName = "starter",
    seed: o.Seed = 0,
    max_ms: o.MaxMs = None,
    country: o.CountryCode = "",
    reader: o.ReaderAddress = "embedded:",
) -> None:
    """Talk in the terminal. The reply is written as it comes; `/why` shows how it came about."""
    safety = Safety(country=known(country), reader=reader)
    budget = patient(model) if max_ms is None else Budget(ms=max_ms)
    setup = Setup(recipe=o.check_recipe(recipe), model=model, memory=memory, seed=seed, budget=budget, safety=safety)
    asyncio.run(_Conversation(setup).run())


class _Conversation:
    def __init__(self, setup: Setup):
        self._setup = setup
        self._listener = Listener(setup)
        self._turns: tuple[Turn, ...] = ()
        self._trace = Trace()

    async def run(self) -> None:
        err.print(DISCLOSURE, style="dim")
        err.print(f"Say what is on your mind. {HELP}", style="dim")
        try:
            while (line := await _asked()) is not None:
                if line.strip() and not await self._handle(line.strip()):
                    break
        finally:
            await self._listener.close()

    async def _handle(self, line: str) -> bool:
        """False to leave."""
        try:
            if not line.startswith("/"):
                await self._answer(line)
                return True
            return await self._command(*line[1:].split(maxsplit=1))
        except HeartfeltError as error:
            complain(error)
            return True

    async def _command(self, name: str = "", argument: str = "") -> bool:
        match name:
            case "quit" | "exit" | "q":
                return False
            case "why":
                tell(self._trace)
            case "page":
                page = Path(argument or "trace.html")
                with writing(page):
                    write_page(self._trace, page)
                err.print(f"Wrote {page}", style="dim", soft_wrap=True)
            case "new":
                self._turns = ()
            case "recipe":
                await self._use(self._setup.model_copy(update={"recipe": o.check_recipe(argument)}))
            case "help":
                err.print(HELP, style="dim")
            case _:
                raise UsageError(f"There is no command '/{name}'. {HELP}")
        return True

    async def _use(self, setup: Setup) -> None:
        await self._listener.close()
        self._setup, self._listener = setup, Listener(setup)

    async def _answer(self, line: str) -> None:
        turns = (*self._turns, Turn(speaker=PERSON, text=cleaned(line, "What you said")))
        self._trace, voice = Trace(), _Voice()
        outcome = await self._listener.answer(Dialogue(turns=turns), observers=(self._trace, voice))
        voice.settle(outcome)
        self._turns = (*turns, Turn(speaker=Dialogue(turns=turns).listener, text=outcome.reply))


class _Voice:
    """Writes the reply as it comes, the steps folded into one line before it."""

    def __init__(self) -> None:
        self._said = ""
        self._folded: list[str] = []

    def __call__(self, event: Event) -> None:
        match event:
            case PassStarted() if event.number > 0:
                out.print()
                err.print(f"↺ looking again from {event.started_from}", style="magenta")
                self._said = ""
            case StepStarted(step="respond"):
                err.print(" · ".join(self._folded), style="dim")
                self._folded = []
            case StepFinished(record=record) if record.step in ("forecast", "plan"):
                self._folded.append(_glance(record.output))
            case Wrote(piece=piece):
                self._said += piece
                out.print(piece, end="", markup=False)
                sys.stdout.flush()
            case _:
                pass

    def settle(self, outcome: Outcome) -> None:
        """Whatever was written on the way, what counts is said last."""
        out.print()
        if self._said.strip() != outcome.reply:
            err.print("→", style="magenta", end=" ")
            out.print(outcome.reply, markup=False)


def _glance(output: object) -> str:
    return getattr(output, "emotion", None) or getattr(output, "tactic", "")


async def _asked() -> str | None:
    """What is typed next; nothing at the end. Read in a thread that nobody waits for, so that an interrupt ends the chat."""
    loop, line = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()

    def settle(said: str | InputError | None) -> None:
        if not line.done():
            line.set_exception(said) if isinstance(said, InputError) else line.set_result(said)

    def read() -> None:
        said = _ask()
        with contextlib.suppress(RuntimeError):  # the chat is over
            loop.call_soon_threadsafe(settle, said)

    threading.Thread(target=read, daemon=True).start()
    return await line


def _ask() -> str | InputError | None:
    if sys.stdin is None:
        return None
    try:
        return input("› " if sys.stdin.isatty() else "")
    except EOFError:
        return None
    except UnicodeDecodeError:
        return InputError("What was typed is not UTF-8 text. Set the terminal to UTF-8, or convert the input.")
