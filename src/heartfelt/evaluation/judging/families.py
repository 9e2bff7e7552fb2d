"""Which family a language model belongs to: judges are known to favour texts of their own kind."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

FAMILIES: dict[str, str] = {
    "qwen": r"qwen|qwq|qvq",
    "llama": r"llama|vicuna|alpaca|nemotron",
    "mistral": r"mistral|mixtral|ministral|magistral|codestral|devstral|pixtral",
    "gemma": r"gemma|gemini",
    "gpt": r"gpt|davinci|\bo[1-5]\b",
    "smollm": r"smollm",
    "claude": r"claude",
    "deepseek": r"deepseek",
    "phi": r"\bphi\b|\bphi[-_]?\d",
    "glm": r"glm",
    "command": r"\bcommand\b|\baya\b|cohere",
    "olmo": r"olmo|tulu",
    "granite": r"granite",
    "kimi": r"kimi|moonshot",
    "grok": r"\bgrok",
    "falcon": r"falcon",
    "internlm": r"internlm|internvl",
    "yi": r"\byi\b",
}
"""By family, what its models' names hold. The first that fits counts: a model distilled into Qwen writes like Qwen."""


def family_of(model: str) -> str:
    """The family of a model by its name or address; empty where the name does not tell.

    >>> family_of("ollama:qwen3:4b"), family_of("openai:http://llama.example/v1#gpt-4o"), family_of("embedded:")
    ('qwen', 'gpt', 'smollm')
    >>> family_of("scripted:answers.json"), family_of("openai:http://127.0.0.1:8000/v1#my-model")
    ('', '')
    """
    scheme, _, rest = model.partition(":")
    if scheme in ("embedded", "scripted"):
        return "smollm" if scheme == "embedded" else ""
    name = _bare(scheme, rest, model).lower().replace("_", "-")
    return next((family for family, pattern in FAMILIES.items() if re.search(pattern, name)), "")


def _bare(scheme: str, rest: str, model: str) -> str:
    """The model's own name: a server's host says nothing about what runs on it."""
    if scheme == "openai":
        return urlsplit(rest).fragment or rest
    return rest.partition("?")[0] if scheme == "ollama" else model


def kinship(judge: str, generators: Iterable[str]) -> str:
    """A warning where judge and generator are of one family, or where that cannot be told; empty where they are not."""
    family = family_of(judge)
    known = {each: family_of(each) for each in dict.fromkeys(generators)}
    kin = [each for each, of in known.items() if of and of == family]
    if kin:
        return (
            f"The judge {judge} and the generator {', '.join(kin)} are of one family ({family}): judges favour texts of "
            "their own kind, so do not report these verdicts without a judge of another family."
        )
    unknown = [each for each, of in known.items() if not of] + ([] if family else [judge])
    if unknown:
        return (
            f"Whether judge and generator are of one family cannot be told from the name: {', '.join(dict.fromkeys(unknown))}."
        )
    return ""
