"""From a look to the file of an avatar."""

from heartfelt.expression.browser.flesh import flesh, order_of
from heartfelt.expression.browser.kept import VERSION
from heartfelt.expression.browser.layout import packed
from heartfelt.expression.browser.pictures import pictures, relief
from heartfelt.expression.browser.pieces import pieces
from heartfelt.expression.browser.rules import rules
from heartfelt.expression.face.head import Head, open_head
from heartfelt.expression.face.look import Look
from heartfelt.expression.render.person import Person


def avatar_bytes(look: Look, *, head: Head | None = None) -> bytes:
    """Everything that a browser needs to draw this person; the same look gives the same bytes."""
    return avatar_of(Person(head or open_head(), look))


def avatar_of(person: Person) -> bytes:
    order = order_of(person)
    arrays = {**flesh(person, order), **pieces(person, order), **relief(person)}
    return packed({"version": VERSION, **rules(person, order)}, arrays, pictures(person))
