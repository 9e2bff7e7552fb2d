"""Judges favour their own kind, so the kind must be told from whatever name or address a model has."""

import pytest

from heartfelt.evaluation.judging.families import family_of, kinship


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("ollama:qwen3:4b", "qwen"),
        ("ollama:llama3.1:8b?images=1", "llama"),
        ("ollama:tinyllama", "llama"),
        ("openai:https://llama.example/v1#gpt-4o-mini", "gpt"),
        ("openai:#o3", "gpt"),
        ("openai:http://127.0.0.1:8000/v1#google/gemma-3-4b-it", "gemma"),
        ("ollama:mixtral:8x7b", "mistral"),
        ("embedded:", "smollm"),
        ("embedded:adapter.gguf", "smollm"),
        ("openai:http://h/v1#HuggingFaceTB/SmolLM2-1.7B", "smollm"),
        ("ollama:deepseek-r1-distill-qwen:7b", "qwen"),
        ("ollama:phi4", "phi"),
        ("openai:http://h/v1#dolphin", ""),
        ("scripted:qwen.json", ""),
    ],
)
def test_family_by_name(model: str, family: str) -> None:
    assert family_of(model) == family


def test_one_family_is_warned_of() -> None:
    assert "one family (qwen)" in kinship("ollama:qwen3:4b", ["embedded:", "openai:http://h/v1#Qwen2.5-7B"])


def test_an_unknown_family_is_said_to_be_unknown() -> None:
    assert "cannot be told" in kinship("scripted:x.json", ["embedded:"])


def test_two_families_are_fine() -> None:
    assert kinship("ollama:gemma3", ["ollama:llama3"]) == ""
