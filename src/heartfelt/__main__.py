"""`python -m heartfelt` is `heartfelt`."""

from heartfelt.cli import main

main()
