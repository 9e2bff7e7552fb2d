"""From rows to the records that travel, and back."""

import json
import logging
import time
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from sqlalchemy import RowMapping

from heartfelt.records import Readings
from heartfelt.server.wire import Afterthought, Alarm, SessionLine, SessionView, Times, TurnView

Made = TypeVar("Made", bound=BaseModel)
_LINE, _TURN = SessionLine.model_fields, TurnView.model_fields
_VIEW = SessionView.model_fields.keys() - {"turns", "conversation"}
_log = logging.getLogger(__name__)


def line(row: RowMapping) -> SessionLine:
    return SessionLine.model_validate({name: row[name] for name in _LINE})


def view(row: RowMapping, turns: tuple[TurnView, ...]) -> SessionView:
    return SessionView.model_validate({name: row[name] for name in _VIEW} | {"turns": len(turns), "conversation": turns})


def turn_view(row: RowMapping) -> TurnView:
    read = {
        "state": state(row),
        "readings": _read(Readings, row["readings"]),
        "times": _read(Times, row["times"]) or Times(),
        "afterthought": _read(Afterthought, row["afterthought"]),
        "alarm": _read(Alarm, row["alarm"]),
    }
    return TurnView.model_validate({name: row[name] for name in _TURN if name in row} | read)


def state(row: RowMapping) -> str:
    """Whose worker is gone is unfinished: nobody has to sweep, and workers need not know of each other."""
    under_way = row["state"] in ("waiting", "answering")
    return "unfinished" if under_way and row["lease"] < time.time() else row["state"]


def plain(value: Any) -> Any:
    """As the database takes it; what is no number becomes null, as JSON has none."""
    return json.loads(value.model_dump_json()) if isinstance(value, BaseModel) else value


def moment(when: datetime | None = None) -> str:
    """Always of the same length, so that their order as text is their order in time."""
    return (when or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="microseconds")


def _read(kind: type[Made], value: Any) -> Made | None:
    """A conversation must stay readable, even where another release measured other things; an export still holds them."""
    if value is None:
        return None
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        _log.warning("The %s of a turn cannot be read by this release: %s", kind.__name__, error.errors()[0]["msg"])
        return None
