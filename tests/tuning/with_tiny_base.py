"""`heartfelt` as a user runs it, on a tiny base model: with_tiny_base.py BASE ARGUMENTS."""

import sys
from pathlib import Path

from heartfelt.cli import main
from heartfelt.weights import Store

base = Path(sys.argv.pop(1))
found = Store.path
Store.path = lambda self, name, member=None: base if name == "smollm2" else found(self, name, member)  # type: ignore[method-assign]

if __name__ == "__main__":
    main()
