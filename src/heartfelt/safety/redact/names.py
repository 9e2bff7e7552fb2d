"""Personal names without a model: what stands around them, a list of names, and capitals where no sentence begins."""

import re
from collections.abc import Iterator, Mapping, Sequence

from heartfelt.safety.redact.lists import capitals, cue, feeling_names, is_word, plain_names, word_names
from heartfelt.safety.redact.spans import RedactedSpan
from heartfelt.safety.redact.words import TextWord, cut, headline, joined

_ROLES, _KIN, _WHOSE, _DOES = cue("roles"), cue("kin"), cue("whose"), cue("does")
_NAMED, _GREETINGS, _PARTICLES, _HOUSEHOLD = cue("named"), cue("greetings"), cue("particles"), cue("household")
_TITLES, _SHORT_TITLES = cue("titles"), cue("short titles")
_FUNCTION = cue("function") - word_names() - feeling_names()
_NO_NAME = capitals() - word_names()
_ACTS = _DOES | cue("acts")
_CALLED = word_names() | feeling_names() | plain_names()
_SIGNED = re.compile(
    r"(?:(?:^|\n)[ \t]*[-–—~]{1,2}[ \t]*"
    r"|(?:regards|sincerely|signed|yours|love|cheers|best|wishes|thanks|hugs|xoxo|xx|kisses)[ \t]*[,!.\n]\s{0,4})"
    r"([A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’.-]{0,30}){0,2})[ \t.!]{0,5}\s{0,5}$",
    re.IGNORECASE,
)


def is_role(key: str) -> bool:
    """«User», «Listener», «Person»: a speaker without a name."""
    return key in _ROLES


class Names:
    """The names in one text."""

    def __init__(self, text: str, kept: Sequence[tuple[int, int]]):
        self.text, self.words = text, cut(text, kept)
        self.headline = headline(self.words)
        self.learned: Mapping[str, bool] = {}
        self.certain: set[str] = set()
        """Those that the words around them gave away, and not a list or a capital."""
        self._signed = _signature(text)

    def found(self, learned: Mapping[str, bool]) -> Iterator[tuple[RedactedSpan, tuple[str, ...]]]:
        """Each name whole, with the keys of its parts, of which the first is its own.

        `learned` are the names that are known already, each with whether its lower-case form is meant too.
        """
        self.learned = learned
        here = [self._is_name(at) for at in range(len(self.words))]
        at = 0
        while at < len(here):
            if here[at]:
                first = at - 1 if self._leads(at) else at
                at = self._last(at, here)
                yield _whole(self.words[first : at + 1])
            at += 1

    # ── one word ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _is_name(self, at: int) -> bool:
        word = self.words[at]
        if not word.letters:
            return word.key in self.learned or _with_number(word.key)
        if word.key in self.learned and self._known(word):
            return True
        if word.key in plain_names() and (word.key not in capitals() or self._given_away(at)):
            return True
        if word.key in _FUNCTION or not (word.title or word.upper or self._introduced(at)):
            return False
        if self._given_away(at):
            self.certain.add(word.key)
            return True
        return word.title and not self.headline and self._raised(at)

    def _known(self, word: TextWord) -> bool:
        """A name of somebody whom the export speaks of elsewhere; lower case only where it can mean nothing else."""
        certain, common = self.learned[word.key], is_word(word.key)
        if word.title or word.upper:
            return certain or not common or not word.opens or (word.key in word_names() and word.key not in cue("function"))
        return certain and not common and word.key not in capitals()

    def _raised(self, at: int) -> bool:
        """A capital where none is due, or at the head of a sentence that only a person can go on with."""
        word, after = self.words[at], self._after(at)
        if word.opens:
            if word.key in word_names():
                return after in _ACTS
            return _strange(word) and (word.owns or after in _DOES or self._and_i(at) or self._speaks(at))
        if word.key in word_names():
            return word.key not in capitals()
        return (_strange(word) and not self._titled(at)) or (word.key in feeling_names() and after in _DOES)

    def _titled(self, at: int) -> bool:
        """«the Grudge» is a film and «a Millennial» nobody in particular; «the Okoro family» is somebody's."""
        word = self.words[at]
        if self._key(at - 1) not in ("the", "a", "an"):
            return False
        return not word.owns and self._key(at + 1) not in _HOUSEHOLD and word.key.removesuffix("s") not in plain_names()

    def _speaks(self, at: int) -> bool:
        """«Zoran: I know» at the head of a line."""
        word = self.words[at]
        return self.text.startswith(": ", word.end) and (at == 0 or "\n" in word.gap)

    # ── what stands around it ───────────────────────────────────────────────────────────────────────────────────────

    def _key(self, at: int) -> str:
        return self.words[at].key if 0 <= at < len(self.words) else ""

    def _after(self, at: int) -> str:
        return self.words[at + 1].key if at + 1 < len(self.words) and self.words[at + 1].gap == " " else ""

    def _and_i(self, at: int) -> bool:
        return self._after(at) == "and" and self._after(at + 1) in ("i", "me")

    def _introduced(self, at: int) -> bool:
        """«my name is …», «mr …»: what follows is a name even in lower case, unless it is a common word."""
        word = self.words[at]
        if word.gap not in (" ", ". ") or len(word.key) < 2 or not at:
            return False
        before = self.words[at - 1]
        named = before.key in ("is", "was") and before.gap == " " and self._key(at - 2) == "name"
        titled = before.key in _SHORT_TITLES and len(word.key) > 2
        tied = self._tied(at) and (self._after(at) in _ACTS or word.uncased)
        return (named or titled or tied or (before.key == "name" and before.owns)) and _strange(word)

    def _given_away(self, at: int) -> bool:
        word = self.words[at]
        if word.start == self._signed or self._introduced(at):
            return True
        if not word.title or self.headline or not at or word.gap not in (" ", ". "):
            return False
        before = self.words[at - 1]
        if before.key in _TITLES and (before.key in _SHORT_TITLES or before.title):
            return word.key not in _NO_NAME
        if word.gap == " " and self._tied(at):
            return word.key not in capitals() or word.key in _CALLED
        return self._addressed(at) and (word.key in _CALLED or _strange(word))

    def _tied(self, at: int) -> bool:
        """«my sister …», «his best friend …», «a boy named …», «her name is …»."""
        before, further = self._key(at - 1), self._key(at - 2)
        if before in _NAMED:
            return further in _KIN
        if before in ("is", "was"):
            return further == "name"
        return (before in _KIN and further in _WHOSE) or (before == "name" and self.words[at - 1].owns)

    def _addressed(self, at: int) -> bool:
        """«Hi …,», «called …», «this is … speaking»."""
        word, before = self.words[at], self._key(at - 1)
        if word.gap != " ":
            return False
        if before in _GREETINGS:
            return self.text[word.end : word.end + 1] in ("", ",", "!", ".", "?", "\n")
        return before in _NAMED or (before == "is" and self._key(at - 2) == "this" and self._after(at) in ("speaking", "here"))

    # ── more than one word ──────────────────────────────────────────────────────────────────────────────────────────

    def _leads(self, at: int) -> bool:
        """Whether a strange first name stands before a known family name, where a sentence begins."""
        if not at or not joined(self.words[at]):
            return False
        word = self.words[at - 1]
        return word.title and word.opens and not word.owns and _strange(word) and not self.headline

    def _last(self, at: int, here: Sequence[bool]) -> int:
        """Where the name that begins here ends: «Maria de la Cruz», «John F. Brown»."""
        while True:
            step = 1
            while step < 4 and self._key(at + step) in _PARTICLES and self.words[at + step].gap == " ":
                step += 1
            if self.words[at].owns or at + step >= len(here) or not self._goes_on(at + step, here, step > 1):
                return at
            at += step

    def _goes_on(self, at: int, here: Sequence[bool], after_particle: bool) -> bool:
        word, before = self.words[at], self.words[at - 1]
        if not joined(word) or (word.gap == ". " and len(before.key) > 1):
            return False
        if len(word.key) == 1:
            return word.title and self.text.startswith(". ", word.end) and at + 1 < len(here) and self.words[at + 1].title
        if here[at]:
            return word.title or not after_particle
        if not word.title or word.key in cue("function") or word.key in _NO_NAME:
            return False
        return _strange(word) or (not self.headline and word.key not in feeling_names())


def _strange(word: TextWord) -> bool:
    return len(word.key) > 1 and not is_word(word.key) and word.key not in capitals()


def _whole(parts: Sequence[TextWord]) -> tuple[RedactedSpan, tuple[str, ...]]:
    keys = [word.key for word in parts if word.key not in _PARTICLES and len(word.key) > 1] or [parts[0].key]
    return RedactedSpan(parts[0].start, parts[-1].end, "name", keys[0]), tuple(keys)


def _with_number(key: str) -> bool:
    """«maria92», «john_doe»: a name at the head of a handle."""
    head = re.match(r"[a-z]+", key)
    return head is not None and len(head[0]) >= 4 and head[0] in plain_names()


def _signature(text: str) -> int:
    """Where the name is that a letter ends with; before everything where there is none."""
    match = _SIGNED.search(text, max(0, len(text) - 120))
    if match is None or not match[1][0].isupper():
        return -1
    key = match[1].split()[0].lower()
    return match.start(1) if key in _CALLED or not (is_word(key) or key in capitals()) else -1
