"""What the documentation shows of the API is run as it stands there, with the real clients, against the server."""

import re
from pathlib import Path
from typing import Any

import pytest

from scripts import REPLY

from ..serving import Served

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to"
SAYS = {
    "use-openai-clients.md": [rf"{re.escape(REPLY)} \d+\n", re.escape(REPLY), rf"({re.escape(REPLY)}\n?){{2}}", "None\n"],
    "serve.md": [rf"{re.escape(REPLY)}\n"],
}
"""What each piece of code says, in order."""


def _shown(page: str) -> list[str]:
    pieces = re.findall(r"```python[^\n]*\n(.*?)```", (HOW_TO / page).read_text("utf-8"), re.S)
    return [piece for piece in pieces if "/v1" in piece or "client." in piece]


@pytest.mark.parametrize("page", SAYS)
def test_every_piece_of_code_does_what_the_page_says(served: Served, page: str, capsys: pytest.CaptureFixture[str]):
    known: dict[str, Any] = {}
    told = list[str]()
    for piece in _shown(page):
        exec(piece.replace("http://localhost:8080", served.url), known)
        told.append(capsys.readouterr().out)
    assert len(told) == len(SAYS[page])
    assert [text for text, wanted in zip(told, SAYS[page], strict=True) if not re.fullmatch(wanted, text)] == []
