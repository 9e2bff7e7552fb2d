"""How safety is set: on by default, for every recipe and every back end."""

from typing import Literal, TypeAlias

from pydantic import Field

from heartfelt.records import Record

Deployment: TypeAlias = Literal["private", "workplace", "education"]


class Safety(Record):
    """Only the laboratory switches the screen and the guard off, where the texts are a corpus and nobody is there."""

    on: bool = True
    country: str = ""
    """Two letters of ISO 3166 such as `DE`: whose services are named. Empty: how to find help anywhere."""
    reader: str = "embedded:"
    """Who reads between the lines: `embedded:`, `embedded:quick` for the small one alone, a file of your own, or `none` for
    rules and phrases."""
    guard: str = ""
    """The address of a guard model that is asked as well, such as `ollama:qwen3guard`."""
    seconds: float = Field(default=8.0, gt=0)
    """How long the detectors that ask a model may take; after that the rules decide alone."""
    deployment: Deployment = "private"
    """At work and in schools nothing is inferred from a face or a voice."""
