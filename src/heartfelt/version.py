"""The release, read from the installed package."""

from importlib.metadata import version

VERSION = version("heartfelt")
