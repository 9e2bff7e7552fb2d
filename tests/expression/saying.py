"""Speech made by hand: sounds of a given length, with a tone where they are voiced."""

import numpy as np

from heartfelt.expression.voice.spoken import RATE, Phone, SaidWord, SpokenAudio


def said(*sounds: tuple[str, float], words: tuple[tuple[str, int], ...] = ()) -> SpokenAudio:
    """`sounds` are symbols with their seconds; `words` are texts with how many of the sounds each has, in order."""
    phones: list[Phone] = []
    end = 0.0
    for symbol, seconds in sounds:
        phones.append(Phone(start=end, end=end + seconds, symbol=symbol.removeprefix("ˈ"), stressed=symbol.startswith("ˈ")))
        end += seconds
    times = np.arange(round(end * RATE)) / RATE
    loud = np.zeros(len(times), np.float32)
    for phone in phones:
        inside = (times >= phone.start) & (times < phone.end)
        loud[inside] = 0.2 * bool(phone.symbol) * (2 if phone.stressed else 1)
    samples = (loud * np.sin(2 * np.pi * 150 * times)).astype(np.float32)
    return SpokenAudio(samples, tuple(phones), tuple(_words(phones, words)))


def _words(phones: list[Phone], words: tuple[tuple[str, int], ...]) -> list[SaidWord]:
    found: list[SaidWord] = []
    first, at = 0, 0
    for text, count in words:
        own = phones[first : first + count]
        found.append(SaidWord(start=own[0].start, end=own[-1].end, text=text, at=at, spoken=text))
        first, at = first + count, at + len(text) + 1
    return found


MAMA = said(("m", 0.08), ("ɑ", 0.14), ("m", 0.08), ("ə", 0.12), ("", 0.3), words=(("mama", 4),))
