"""Setting a field of a record by hand: for planted faults, for `replay --set`, and for a person who edits a step."""

from typing import Any, Self

from pydantic import TypeAdapter, ValidationError

from heartfelt.errors import UsageError
from heartfelt.records import Output, Record

_OUTPUT: TypeAdapter[Output] = TypeAdapter(Output)


class Edit(Record):
    """`STEP.FIELD=VALUE`; a field inside a list is reached by its number: `perceive.cues.0.quote=…`."""

    step: str
    path: tuple[str, ...]
    value: str

    @classmethod
    def parse(cls, text: str) -> Self:
        target, equals, value = text.partition("=")
        step, *path = target.strip().split(".")
        if not equals or not path:
            raise UsageError(f"'{text}' is no edit. Write STEP.FIELD=VALUE, for example forecast.emotion=ashamed.")
        return cls(step=step, path=tuple(path), value=value.strip())

    def apply(self, output: Output) -> Output:
        data = output.model_dump(mode="json")  # lists, where the record has tuples: they can be set
        try:
            _set(data, self.path, self.value)
            if self.path in (("emotion",), ("message",)):  # how sure the model was of another one says nothing of this one
                data |= {name: None for name in ("confidence", "distribution") if name in data}
            if "why" in data and self.path != ("why",):  # nor do its reasons
                data["why"] = ""
            return _OUTPUT.validate_python(data)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            why = _why(error, data)
            raise UsageError(f"'{self.step}.{'.'.join(self.path)}' cannot be set to '{self.value}': {why}.") from error


def _why(error: Exception, data: dict[str, Any]) -> str:
    if isinstance(error, ValidationError):
        return error.errors()[0]["msg"]
    if isinstance(error, IndexError):
        return "the list has no item of that number; the first is 0"
    return "the fields are " + ", ".join(name for name in data if name != "kind")


def _set(data: Any, path: tuple[str, ...], value: str) -> None:
    *way, last = path
    for name in way:
        data = data[int(name)] if isinstance(data, list) else data[name]
    if isinstance(data, list):
        data[int(last)] = value
    elif last in data and last != "kind":
        data[last] = value
    else:
        raise KeyError(last)
