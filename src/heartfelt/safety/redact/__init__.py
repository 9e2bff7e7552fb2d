"""Redaction: what is handed to others keeps the feelings and loses the people. No model, no download."""

from heartfelt.safety.redact.export import redact_text, redacted_json, redacted_trace
from heartfelt.safety.redact.redactor import Redactor

__all__ = ["Redactor", "redact_text", "redacted_json", "redacted_trace"]
