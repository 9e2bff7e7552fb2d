"""Tuning the embedded brain: corpora, weak labels, planted faults, and examples in the very tokens of the runtime."""
