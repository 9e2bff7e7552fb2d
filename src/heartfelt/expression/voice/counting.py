"""Numbers as English words: cardinals, ordinals, years, times of day, digit by digit."""

from decimal import Decimal

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
LARGEST = 10**15 - 1
"""What is larger is no amount that anybody pictures, but a code: it is read digit by digit."""


def cardinal(number: int) -> str:
    """«three hundred twelve» for 312; the digits one by one where it is too large."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    if number > LARGEST:
        return digits(str(number))
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return _TENS[tens] + (f" {_ONES[rest]}" if rest else "")
    size, name = next(scale for scale in _SCALES if number >= scale[0])
    many, rest = divmod(number, size)
    return f"{cardinal(many)} {name}" + (f" {cardinal(rest)}" if rest else "")


def ordinal(number: int) -> str:
    """«twenty first» for 21."""
    *before, last = cardinal(number).split()
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return " ".join([*before, last])


def digits(text: str) -> str:
    """«oh» would be mistaken for a letter in a code, so it is «zero»."""
    return " ".join(_ONES[int(character)] for character in text)


def decimal(text: str) -> str:
    """«three point one four» for 3.14; the whole part may be missing and may have commas."""
    whole, _, rest = text.replace(",", "").partition(".")
    words = leading(whole or "0")
    return f"{words} point {digits(rest)}" if rest else words


def leading(text: str) -> str:
    """A whole number as it is written: with a leading zero, or without an end, it is a code."""
    coded = len(text) > 15 or (len(text) > 1 and int(text[0]) == 0)
    return digits(text) if coded else cardinal(int(text))


def year(number: int) -> str:
    """«nineteen eighty four», «two thousand five», «nineteen oh five»."""
    century, rest = divmod(number, 100)
    if number % 1000 < 10 or not 11 <= century <= 99:
        return cardinal(number)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} oh {_ONES[rest]}" if rest < 10 else f"{cardinal(century)} {cardinal(rest)}"


def plural(words: str) -> str:
    """Of the last word: «the nineteen nineties»."""
    if words.endswith("y"):
        return words[:-1] + "ies"
    return words + ("es" if words.endswith("x") else "s")


def fraction(value: Decimal) -> str:
    """What a sign such as ½ or Ⅳ stands for."""
    for below in range(1, 17):
        above = value * below
        if abs(above - round(above)) < Decimal("0.001"):
            return quotient(round(above), below)
    return decimal(f"{value:.3f}")


def quotient(above: int, below: int) -> str:
    """«one half», «two thirds»."""
    if below == 1:
        return cardinal(above)
    if below > 100:
        return f"{cardinal(above)} over {cardinal(below)}"
    named = {2: "half", 4: "quarter"}.get(below) or ordinal(below)
    if above == 1:
        return f"one {named}"
    return f"{cardinal(above)} {'halves' if below == 2 else plural(named)}"
