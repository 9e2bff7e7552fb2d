"""The web app's types are what the server sends and takes."""

from pathlib import Path

from heartfelt.server.schema import typescript


def test_the_generated_types_are_up_to_date():
    written = Path(__file__).parents[2] / "web" / "src" / "wire.ts"
    assert written.read_text("utf-8") == typescript(), "run: cd web && npm run types"
