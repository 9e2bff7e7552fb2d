"""Kokoro's alphabet: its symbols, their numbers, and how eSpeak's sounds are written in it.

Kokoro writes most diphthongs and affricates as one letter («A» is «eɪ»), American English without length marks, and stress
before the vowel.
"""

import re
from functools import cache

from heartfelt.expression.voice.espeak import TIE, Accent

PAD = 0
STRESS, HALF_STRESS, LONG, SPACE = "ˈ", "ˌ", "ː", " "
MARKS = ";:,.!?—…"
# The published numbering has gaps: only what English needs is listed.
NUMBERS = {
    **{";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "—": 9, "…": 10, SPACE: 16},
    **{"A": 24, "I": 25, "O": 31, "Q": 33, "T": 36, "W": 39, "Y": 41, "ᵊ": 42},
    **{"a": 43, "b": 44, "d": 46, "e": 47, "f": 48, "h": 50, "i": 51, "j": 52, "k": 53, "l": 54, "m": 55, "n": 56},
    **{"o": 57, "p": 58, "s": 61, "t": 62, "u": 63, "v": 64, "w": 65, "x": 66, "z": 68},
    **{"ɑ": 69, "ɐ": 70, "ɒ": 71, "æ": 72, "ɔ": 76, "ç": 78, "ð": 81, "ʤ": 82, "ə": 83, "ɚ": 85, "ɛ": 86, "ɜ": 87},
    **{"ɡ": 92, "ɪ": 102, "ŋ": 112, "θ": 119, "ɹ": 123, "ɾ": 125, "ʃ": 131, "ʧ": 133, "ʊ": 135, "ʌ": 138},
    **{"ʒ": 147, STRESS: 156, HALF_STRESS: 157, LONG: 158, "ᵻ": 177},
}
IPA = {"A": "eɪ", "I": "aɪ", "O": "oʊ", "Q": "əʊ", "W": "aʊ", "Y": "ɔɪ", "T": "ɾ", "ʤ": "dʒ", "ʧ": "tʃ", "ᵊ": "ə"}
"""What Kokoro's own letters stand for."""
VOWELS = frozenset("AIOQWYᵊaeiouɑɐɒæɔəɚɛɜɪʊʌᵻ")

_BOTH = {
    "e^ɪ": "A",
    "a^ɪ": "I",
    "a^ʊ": "W",
    "ɔ^ɪ": "Y",
    "d^ʒ": "ʤ",
    "t^ʃ": "ʧ",
    "ə^l": "ᵊl",
    "ɚ": "əɹ",
    "ɐ": "ə",
    "r": "ɹ",
    "ɫ": "l",
    "ɬ": "l",
    "ʲ": "",
    "g": "ɡ",
    "x": "k",
    "ç": "k",
    "ɲ": "n",
    "y": "u",
    "ø": "ɜ",
    "œ": "ɜ",
    "ɣ": "ɡ",
    "β": "v",
    "ʁ": "ɹ",
    "ʔ": "t",
}
_AMERICAN = {"o^ʊ": "O", "ɜːɹ": "ɜɹ", "ɜː": "ɜɹ", "ɪ^ə": "iə", "ɾ": "T", "ɒ": "ɑ", LONG: ""}
_BRITISH = {"ə^ʊ": "Q", "o^ʊ": "Q", "e^ə": "ɛː", "i^ə": "ɪə"}
_SYLLABIC = re.compile("(.)\u0329")


@cache
def _rules(accent: Accent) -> tuple[re.Pattern[str], dict[str, str]]:
    table = _BOTH | (_AMERICAN if accent == "american" else _BRITISH)
    longest_first = sorted(table, key=len, reverse=True)
    return re.compile("|".join(re.escape(sound) for sound in longest_first)), table


def spelled(sounds: str, accent: Accent) -> str:
    """eSpeak's sounds in Kokoro's symbols. What Kokoro has no symbol for is left out; such sounds are not English."""
    pattern, table = _rules(accent)
    sounds = _SYLLABIC.sub(r"ᵊ\1", sounds)
    written = pattern.sub(lambda found: table[found[0]], sounds).replace(TIE, "")
    return "".join(symbol for symbol in written if symbol in NUMBERS)
