"""People whose files are made once for all tests of this folder."""

from functools import cache

import pytest

from heartfelt.expression.browser.avatar import avatar_of
from heartfelt.expression.browser.layout import Avatar, unpacked
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.people import look_named
from heartfelt.expression.render.person import Person


class Cast:
    """Somebody by name: as the renderer has them, as a file, and as the file is read."""

    def __init__(self, head: Head):
        self.head = head
        self.person = cache(self._person)
        self.file = cache(self._file)

    def _person(self, name: str) -> Person:
        return Person(self.head, look_named(name))

    def _file(self, name: str) -> bytes:
        return avatar_of(self.person(name))

    def read(self, name: str) -> Avatar:
        return unpacked(self.file(name))


@pytest.fixture(scope="session")
def cast(head: Head) -> Cast:
    return Cast(head)
