"""The reader: the sentence encoder with layers taught to tell danger from its look-alikes, whose it is, and what is being done.

It shares nothing with the rules but what it reads, so that one finds what the other overlooks.
"""

import asyncio
import threading
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from heartfelt.memory.embed import open_tokenizer
from heartfelt.memory.taught_graph import FORM, write_graph
from heartfelt.records import Danger, DialogueAct, Tier, Who
from heartfelt.safety.detect.acts import DARK, GRAVE, LOWERING
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.tiers import DANGERS, TIERS, alarms
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Name = TypeVar("Name", bound=str)
TAUGHT = Path(__file__).parent / "weights" / "danger-3.npz"
TAUGHT_ACTS = Path(__file__).parent / "weights" / "acts-1.npz"
"""The upper layers of the same encoder, taught further to tell what a message does."""
REMEMBERED = 4096
"""Messages whose reading is kept, so that a long conversation is not read again at every turn."""
WHOS: tuple[Who, ...] = get_args(Who)
ACTS: tuple[DialogueAct, ...] = get_args(DialogueAct)[1:]
TAUGHT_HERE = ACTS[:76]
"""Those that this reader was taught; the large one knows more."""
KNOWN, CERTAIN = 0.5, 0.65
"""How likely an act must be to be answered as that, and one of those that change much; below, what is said fits anything."""
LOWERS = 0.35
"""How likely those acts must be together after which a danger is let go; and likelier than any other."""
LONGEST, LONGEST_ASKED, LONGEST_BEFORE = 160, 48, 40
"""Tokens of a message, of the question before it, and of what the person said before."""
START, END = 101, 102
_THREADS = 2


class Read(NamedTuple):
    """How likely each tier is, and, should there be a danger, each kind of it and whose it is; and what the message
    does in a talk about a danger."""

    tiers: dict[Tier, float]
    dangers: dict[Danger, float]
    whos: dict[Who, float]
    acts: dict[DialogueAct, float] = {}
    thorough: bool = False
    """Whether the large reader found it, which has the whole talk before it."""

    @property
    def alarm(self) -> float:
        return self.tiers["active"] + self.tiers["imminent"]

    @property
    def danger(self) -> Danger:
        return max(self.dangers, key=lambda danger: self.dangers[danger])

    @property
    def who(self) -> Who:
        return max(self.whos, key=lambda who: self.whos[who])

    @property
    def act(self) -> DialogueAct:
        """The likeliest, where it is likely enough."""
        lowering = {act: self.acts.get(act, 0.0) for act in LOWERING}
        others = {act: share for act, share in self.acts.items() if act not in LOWERING}
        if sum(lowering.values()) >= max((LOWERS, *others.values())):
            return cast(DialogueAct, max(lowering, key=lambda act: lowering[act]))
        best = cast(DialogueAct, max(others, key=lambda act: others[act], default=""))
        return best if others.get(best, 0.0) >= (CERTAIN if best in GRAVE or best == "young" else KNOWN) else ""

    @property
    def dark(self) -> float:
        """How likely it does something that people do who are in danger."""
        return sum(self.acts.get(act, 0.0) for act in DARK)


LEAST = 1e-6
"""The least share that counts."""


def odds(share: float) -> float:
    return max(share, LEAST) / max(1 - share, LEAST)


def seconded(read: Read, witness: float, power: float) -> Read:
    """What a reader finds, in the light of another witness's odds: where they do not agree, an alarm becomes a concern."""
    joint = odds(read.alarm) * witness**power
    alarm = joint / (1 + joint)
    grave, rest = alarm / max(read.alarm, LEAST), min(1.0, (1 - alarm) / max(1 - read.alarm, LEAST))
    tiers = {tier: share * (grave if alarms(tier) else rest) for tier, share in read.tiers.items()}
    return read._replace(tiers=tiers | {"concern": tiers["concern"] + max(0.0, read.alarm - alarm)})


class Reader(Protocol):
    name: str

    @property
    def loaded(self) -> bool:
        """Whether it can read at once."""
        ...

    async def read(self, message: PersonMessage, *, closely: bool = False) -> Read:
        """`closely`: there is a reason to take more time over it."""
        ...


class LocalReader(ABC):
    """A reader in this process: one worker thread, and no message is read twice."""

    def __init__(self, name: str, store: Store | None):
        self.name, self._store = name, store or Store()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._known: dict[PersonMessage, Read] = {}
        self._ready = threading.Event()

    @property
    def loaded(self) -> bool:
        return self._ready.is_set()

    async def read(self, message: PersonMessage, *, closely: bool = False) -> Read:
        """Raises whatever keeps it from reading."""
        if (known := self._known.get(message)) is None:
            known = await asyncio.get_running_loop().run_in_executor(self._worker, self.score, message)
            self._known[message] = known
            if len(self._known) > REMEMBERED:
                self._known.pop(next(iter(self._known)), None)
        return known

    async def warm(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._worker, self.load)

    def forget(self) -> None:
        """Nothing that anybody said is kept."""
        self._known.clear()

    @abstractmethod
    def load(self) -> object: ...

    @abstractmethod
    def score(self, message: PersonMessage) -> Read: ...


class TaughtReader(LocalReader):
    def __init__(self, taught: Path = TAUGHT, *, store: Store | None = None):
        super().__init__("reader", store)
        self._taught = taught

    def load(self) -> object:
        return self._parts

    def score(self, message: PersonMessage) -> Read:
        tokenizer, danger, acts = self._parts
        alone = message._replace(before="")
        return read_from(_scores(danger, encoded(message, tokenizer)), _scores(acts, encoded(alone, tokenizer)))

    @cached_property
    def _parts(self) -> "tuple[Tokenizer, InferenceSession, InferenceSession]":
        tokenizer = open_tokenizer(self._store.path("minilm", "tokenizer.json"))
        danger, acts = self._session("danger", self._taught), self._session("acts", TAUGHT, TAUGHT_ACTS)
        self._ready.set()
        return tokenizer, danger, acts

    def _session(self, name: str, *taught: Path) -> "InferenceSession":
        weights, config = (self._store.path("minilm", each) for each in ("model.safetensors", "config.json"))
        name = f"{name}-{FORM}-{sha256(b''.join(path.read_bytes() for path in taught)).hexdigest()[:12]}.onnx"
        graph = self._store.converted("minilm", name, lambda target: write_graph(weights, config, taught, target))
        return open_session(graph, _THREADS)


def _scores(session: "InferenceSession", tokens: tuple[list[int], list[int]]) -> NDArray[np.float32]:
    ids, types = tokens
    given = {"input_ids": ids, "mask": [1] * len(ids), "types": types}
    rows = session.run(["scores"], {name: np.array([row], np.int64) for name, row in given.items()})[0]
    return cast(NDArray[np.float32], rows)[0]


def encoded(message: PersonMessage, tokenizer: "Tokenizer") -> tuple[list[int], list[int]]:
    """Tokens, and of which type each is: 0 for the message, 1 for what came before it. Teaching and reading share this."""
    text, asked, before = (tokenizer.encode(part[:2000], add_special_tokens=False).ids for part in message[:3])
    own = [START, *text[:LONGEST], END]
    if not (asked or before):
        return own, [0] * len(own)
    context = [*asked[-LONGEST_ASKED:], END, *before[-LONGEST_BEFORE:], END]
    return own + context, [0] * len(own) + [1] * len(context)


def read_from(danger: NDArray[np.float32], acts: NDArray[np.float32]) -> Read:
    """Of one message: scores of tiers, dangers, whose danger it is, and what is done, in this order; the last from `acts`."""
    ends = np.cumsum([len(TIERS), len(DANGERS), len(WHOS)])
    tiers, dangers, whos, _ = np.split(danger.astype(np.float64), ends)
    done = acts.astype(np.float64)[ends[-1] :]
    return Read(shares(TIERS, tiers), shares(DANGERS, dangers), shares(WHOS, whos), shares(TAUGHT_HERE, done))


@cache
def usual_reader() -> TaughtReader:
    """One for the whole process: whoever listens shares it."""
    return TaughtReader()


def shares(names: tuple[Name, ...], scores: NDArray[np.float64]) -> dict[Name, float]:
    odds = np.exp(scores - scores.max())
    return {name: float(share) for name, share in zip(names, odds / odds.sum(), strict=True)}
