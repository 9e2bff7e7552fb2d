"""Redaction: what is handed to others keeps the feelings and loses the people. No model, no download."""

from heartfelt.safety.redact.redactor import Redactor, redact_text, redacted_json, redacted_trace

__all__ = ["Redactor", "redact_text", "redacted_json", "redacted_trace"]
