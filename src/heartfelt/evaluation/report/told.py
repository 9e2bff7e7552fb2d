"""How figures are written: shares in per cent, times in seconds, and a sign before every difference."""

import re

SHARES = ("share",)
_DIGITS = {"cosine": 3, "perplexity": 2, "strength": 3, "ratio": 3, "squared share": 3, "mark": 2}


def value(number: float, unit: str) -> str:
    """A figure without its unit, which stands in the column's head."""
    if unit in SHARES:
        return f"{100 * number:.1f}"
    if unit == "ms":
        return f"{number / 1000:.2f}"
    if unit == "tokens":
        return f"{number:,.0f}".replace(",", "\u202f")
    return f"{number:.{_DIGITS.get(unit, 1)}f}"


def difference(number: float, unit: str) -> str:
    text = value(abs(number), unit)
    return text if not re.search("[1-9]", text) else f"{'+' if number > 0 else '−'}{text}"


def apart(number: float, unit: str, name: str = "") -> str:
    """A difference with its unit, where the figure's name does not say it."""
    of = "points" if unit in SHARES else unit_of(unit)
    return f"{difference(number, unit)} {of if of != name else ''}".strip()


def ends(low: float, high: float, unit: str) -> str:
    return f"{signed(low, unit)} to {signed(high, unit)}"


def signed(number: float, unit: str) -> str:
    return value(number, unit).replace("-", "−")


def unit_of(unit: str) -> str:
    return {"share": "%", "ms": "s"}.get(unit, unit)


def chance(p: float) -> str:
    """A p-value as papers write it."""
    return "< .001" if p < 0.001 else "1" if p > 0.9995 else f".{round(p * 1000):03d}"


def count(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def slug(text: str) -> str:
    """For the name of a file."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "plot"
