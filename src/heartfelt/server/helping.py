"""Where people help: from the dated table to what travels."""

from collections.abc import Iterable

from heartfelt.records import Alert, Danger
from heartfelt.safety.respond import services
from heartfelt.safety.tiers import alarms
from heartfelt.server.wire import Alarm, Help, HelpLine, Place


def places() -> tuple[Place, ...]:
    return tuple(Place(code=each.code, name=each.name) for each in services.countries())


def alarm_of(alert: Alert, code: str) -> Alarm | None:
    """What the app shows of an alert; nothing where there is only concern."""
    if not alarms(alert.tier):
        return None
    danger: Danger = alert.danger or "despair"
    where = services.country(code)
    return Alarm(
        tier=alert.tier,
        danger=danger,
        help=_lines(services.lines_for(where, danger)) if where else (),
        emergency=where.emergency if where else "",
        country=where.code if where else "",
    )


def help_in(code: str, danger: Danger | None) -> Help:
    where = services.country(services.known(code))
    found = () if where is None else services.lines_for(where, danger) if danger else where.lines
    return Help(
        country=where.code if where else "",
        name=where.name if where else "",
        emergency=where.emergency if where else "",
        checked=services.checked().isoformat(),
        lines=_lines(found),
        countries=places(),
    )


def _lines(found: Iterable[services.ServiceLine]) -> tuple[HelpLine, ...]:
    return tuple(HelpLine.model_validate(line.model_dump(include=set(HelpLine.model_fields))) for line in found)
