"""The seam to eSpeak NG: English words in, their sounds in the phonetic alphabet out.

The library comes with the package `espeakng-loader` and is called through three functions of its C interface, so no other
package is needed. eSpeak NG is licensed under the GPL, version 3 or later. Heartfelt's own code stays under Apache-2.0, which
the GPL takes in; but whoever passes on both together, as a container or an installer does, passes on a work under the GPL.
That is why it is an extra and never installed unasked. Another source of sounds need only offer `sounds`.
"""

import ctypes
import re
import threading
from functools import cache
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from heartfelt.errors import EngineError, MissingExtra

Accent: TypeAlias = Literal["american", "british"]

TIE = "^"
"""Stands between the letters of one sound, as in «t^ʃ»."""
_VOICES: dict[Accent, bytes] = {"american": b"gmw/en-US", "british": b"gmw/en"}
_RETRIEVAL, _DO_NOT_EXIT = 1, 0x8000
_UTF8, _IPA_WITH_TIES = 1, 0x02 | 0x80 | ord(TIE) << 8
_OK = 0
_FOREIGN = re.compile(r"\([a-z-]+\)")
"""«(fr)»: the library says when it takes a word for a foreign one."""


class Sounds(Protocol):
    """Knows how words sound."""

    def sounds(self, words: str, accent: Accent) -> str:
        """One clause without punctuation; the sounds of its words mostly between spaces."""
        ...


class Espeak:
    """Loaded at the first words. The library keeps one state for the whole process, so all calls wait for each other."""

    _alone = threading.Lock()
    accent: Accent | None = None
    """The one that is chosen now, in the whole process."""

    def sounds(self, words: str, accent: Accent) -> str:
        with Espeak._alone:
            library = _library()
            if Espeak.accent != accent:
                if library.espeak_SetVoiceByName(_VOICES[accent]) != _OK:
                    raise EngineError(f"eSpeak NG has no {accent} English. Install espeakng-loader again.")
                Espeak.accent = accent
            left = ctypes.c_char_p(words.replace("\0", " ").encode())
            parts: list[str] = []
            while left.value:
                found: bytes | None = library.espeak_TextToPhonemes(ctypes.byref(left), _UTF8, _IPA_WITH_TIES)
                parts.append((found or b"").decode())
        return " ".join(_FOREIGN.sub("", " ".join(parts)).split())


@cache
def _library() -> ctypes.CDLL:
    """Once for the whole process: to start it again would take the chosen voice away under whoever uses it."""
    try:
        import espeakng_loader
    except ImportError:
        raise MissingExtra("Speaking with the embedded voice", "voice") from None
    path = Path(espeakng_loader.get_library_path())
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise EngineError(f"eSpeak NG cannot be loaded from {path} ({error}). Install espeakng-loader again.") from error
    library.espeak_Initialize.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
    library.espeak_SetVoiceByName.argtypes = [ctypes.c_char_p]
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    if library.espeak_Initialize(_RETRIEVAL, 0, str(path.parent / "espeak-ng-data").encode(), _DO_NOT_EXIT) < 0:
        raise EngineError(f"eSpeak NG finds no data beside {path}. Install espeakng-loader again.")
    Espeak.accent = None
    return library
