"""Answers that fit their schema by construction.

The walk over the schema writes what is fixed (braces, names, quotes) at reading speed, lets the model decide only what is open,
and reads a closed choice from the probabilities of its options. So the smallest model always gives a valid answer, and every
choice comes with an honest distribution.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.models.embedded.calibration import Temperatures
from heartfelt.models.embedded.engine import Cursor, Engine, Logits
from heartfelt.models.seam import Schema
from heartfelt.records import Scores

CHARACTERS_A_TOKEN = 4


class Sampler:
    """Chooses the next token or option: the likeliest at temperature 0, else by seed."""

    def __init__(self, *, temperature: float, top_p: float, seed: int):
        self._temperature, self._top_p = temperature, top_p
        self._random = np.random.default_rng(seed)

    def token(self, logits: Logits) -> int:
        if self._temperature <= 0:
            return int(logits.argmax())
        likely = np.argpartition(logits, -200)[-200:]
        likely = likely[np.argsort(-logits[likely])]
        shares = softmax(logits[likely].astype(np.float64) / self._temperature)
        kept = max(1, int(np.searchsorted(np.cumsum(shares), self._top_p)) + 1)
        return int(likely[self._draw(shares[:kept])])

    def option(self, shares: NDArray[np.float64]) -> int:
        if self._temperature <= 0:
            return int(shares.argmax())
        return self._draw(shares ** (1 / self._temperature))

    def _draw(self, shares: NDArray[np.float64]) -> int:
        return int(self._random.choice(len(shares), p=shares / shares.sum()))


class GuidedWriter:
    """Writes on from a cursor. Fixed text waits in `_pending` and is read together with what follows it."""

    def __init__(
        self,
        engine: Engine,
        cursor: Cursor,
        sampler: Sampler,
        calibrated: Temperatures = Temperatures(),
        prompt: str = "",
        *,
        taught: bool = False,
    ):
        self._engine, self._cursor, self._sampler, self._taught = engine, cursor, sampler, taught
        self._calibrated, self._prompt = calibrated, prompt
        self._pending: list[int] = []
        self.probabilities: dict[str, Scores] = {}
        self.written = 0
        """Tokens that the model chose or was given to write."""

    # ── plain text ──────────────────────────────────────────────────────────────────────────────────────────────────

    def text(self, limit: int, stop: tuple[str, ...], emit: Callable[[str], None]) -> tuple[str, bool]:
        """Text until the model ends it, a stop comes or the limit is reached; true when it ended by itself."""
        forbidden = markers(self._engine)
        data, shown = b"", 0
        for _ in range(min(limit, self._cursor.room - 1)):
            token = self._next(forbidden)
            if token in self._engine.ends:
                return data.decode(errors="replace"), True
            data += self._engine.pieces[token]
            cut = first_stop(data, stop)
            if cut is not None:
                return data[:cut].decode(errors="replace"), True
            whole = data.decode(errors="ignore")
            held = max((len(s) for s in stop), default=1) - 1
            emit(whole[shown : len(whole) - held])
            shown = max(shown, len(whole) - held)
            self._pending = [token]
        return data.decode(errors="replace"), False

    # ── answers with a schema ───────────────────────────────────────────────────────────────────────────────────────

    def value(self, schema: Schema, path: str = "") -> Any:
        if "enum" in schema:
            return self._choice(schema["enum"], path)
        match schema["type"]:
            case "object":
                return self._object(schema, path)
            case "array":
                return self._array(schema, path)
            case _:
                return self._string(schema.get("maxLength", 200))

    def _object(self, schema: Schema, path: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for i, (name, inner) in enumerate(schema["properties"].items()):
            self._fixed(("{" if i == 0 else ", ") + f'"{name}": ')
            made[name] = self.value(inner, f"{path}.{name}".lstrip("."))
        self._fixed("}")
        return made

    def _array(self, schema: Schema, path: str) -> list[Any]:
        self._fixed("[")
        made: list[Any] = []
        inner, taken = schema["items"], []
        while len(made) < schema["maxItems"]:
            if len(made) >= schema["minItems"] and not self._goes_on(first=not made):
                break
            if made and len(made) < schema["minItems"]:
                self._fixed(", ")
            made.append(self.value(_without(inner, taken), f"{path}.{len(made)}"))
            taken.append(made[-1])
            if not _left(inner, taken):
                break
        self._fixed("]")
        return made

    def _goes_on(self, *, first: bool) -> bool:
        """Another item, or the end of the list?"""
        more, end = self._engine.tokens('"' if first else ", "), self._engine.tokens("]")
        shares = self._shares([more, end])
        if self._sampler.option(shares) == 1:
            return False
        if not first:
            self._fixed(", ")
        return True

    def _choice(self, options: list[str], path: str) -> str:
        self._fixed('"')
        if len(options) == 1:
            self._fixed(f'{options[0]}"')
            self.probabilities[path] = {options[0]: 1.0}
            return options[0]
        spelled = [self._engine.tokens(f'{option}"') for option in options]
        shares = self._shares(spelled, self._calibrated.of(options, self._prompt))
        self.probabilities[path] = {option: float(share) for option, share in zip(options, shares, strict=True)}
        best = self._sampler.option(shares)
        self._pending.extend(spelled[best])
        self.written += 1
        return options[best]

    def _string(self, limit: int) -> str:
        self._fixed('"')
        forbidden, data = _breakers(self._engine), b""
        for _ in range(max(4, limit // CHARACTERS_A_TOKEN)):
            token = self._next(forbidden)
            piece = self._engine.pieces[token]
            if token in self._engine.ends or b'"' in piece:
                before = b"" if token in self._engine.ends else piece.split(b'"')[0]
                data += before
                self._fixed(before.decode(errors="ignore") + '"')
                return data.decode(errors="ignore").strip()
            data += piece
            self._pending.append(token)
        self._fixed('"')
        return data.decode(errors="ignore").strip()

    def _fixed(self, text: str) -> None:
        self._pending.extend(self._engine.tokens(text))

    def _shares(self, options: list[list[int]], temperature: float = 1.0) -> NDArray[np.float64]:
        self._settle()
        return softmax(self._cursor.score(options, taught=self._taught) / temperature)

    def _next(self, forbidden: NDArray[np.bool_]) -> int:
        self._settle()
        self.written += 1
        logits = self._cursor.next
        logits[forbidden] = -np.inf
        return self._sampler.token(logits)

    def _settle(self) -> None:
        if self._pending:
            self._cursor.feed(self._pending)
            self._pending = []


def softmax(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares that sum to one over the last axis."""
    shifted = np.exp(logs - logs.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def first_stop(data: bytes, stop: tuple[str, ...]) -> int | None:
    found = [at for at in (data.find(s.encode()) for s in stop) if at >= 0]
    return min(found) if found else None


def _without(schema: Schema, taken: list[Any]) -> Schema:
    """A list of choices does not take the same one twice."""
    if "enum" in schema:
        return schema | {"enum": [option for option in schema["enum"] if option not in taken]}
    if "properties" in schema and taken:
        first, inner = next(iter(schema["properties"].items()))
        if "enum" in inner:
            rest = _without(inner, [item[first] for item in taken])
            return schema | {"properties": schema["properties"] | {first: rest}}
    return schema


def _left(schema: Schema, taken: list[Any]) -> bool:
    """Whether another item can be made at all."""
    rest = _without(schema, taken)
    inner = next(iter(rest["properties"].values())) if "properties" in rest else rest
    return bool(inner.get("enum", True))


def markers(engine: Engine) -> NDArray[np.bool_]:
    """Chat markers, which never belong into a text; the end of the answer is allowed."""
    return _mask(engine, "markers", lambda t, p: p.startswith(b"<|") and t not in engine.ends)


def _breakers(engine: Engine) -> NDArray[np.bool_]:
    """What would break a JSON string: escapes, control characters, chat markers."""
    return _mask(
        engine,
        "breakers",
        lambda t, p: b"\\" in p or any(b < 32 for b in p) or (p.startswith(b"<|") and t not in engine.ends),
    )


def _mask(engine: Engine, name: str, test: Callable[[int, bytes], bool]) -> NDArray[np.bool_]:
    if name not in engine.masks:
        engine.masks[name] = np.array([test(t, p) for t, p in enumerate(engine.pieces)])
    return engine.masks[name]


def spelled(tokens: Callable[[str], list[int]], schema: Schema, value: Any) -> list[tuple[list[int], bool]]:
    """An answer as a `Writer` writes it: pieces of tokens, and whether the model decides them. For teaching and for scoring.

    Fixed text is cut where the writer cuts it, so that a model is taught the very tokens that it will be asked to decide.
    """
    written = _Speller(tokens)
    written.value(schema, value)
    return written.pieces


class _Speller:
    """The walk of `Writer` over a schema, with the answer already known."""

    def __init__(self, tokens: Callable[[str], list[int]]):
        self._tokens = tokens
        self.pieces: list[tuple[list[int], bool]] = []

    def value(self, schema: Schema, value: Any) -> None:
        if "enum" in schema:
            self._fixed('"')
            self._put(f'{value}"', decided=len(schema["enum"]) > 1)
        elif schema["type"] == "object":
            for i, (name, inner) in enumerate(schema["properties"].items()):
                self._fixed(("{" if i == 0 else ", ") + f'"{name}": ')
                self.value(inner, value[name])
            self._fixed("}")
        elif schema["type"] == "array":
            self._array(schema, value)
        else:
            self._fixed('"')
            self._put(value, decided=True)
            self._put('"', decided=True)

    def _array(self, schema: Schema, items: list[Any]) -> None:
        self._fixed("[")
        for i, item in enumerate(items):
            if i:
                self._put(", ", decided=i >= schema["minItems"])
            self.value(_without(schema["items"], items[:i]), item)
        open_end = schema["minItems"] <= len(items) < schema["maxItems"] and _left(schema["items"], items)
        self._put("]", decided=open_end)

    def _fixed(self, text: str) -> None:
        self._put(text, decided=False)

    def _put(self, text: str, *, decided: bool) -> None:
        self.pieces.append((self._tokens(text), decided))
