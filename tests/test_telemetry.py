"""Spans of a turn, collected by the real SDK in memory."""

from collections.abc import Sequence

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from heartfelt import Listener, Setup
from heartfelt.errors import BadOutput
from heartfelt.intake import of_text
from heartfelt.models import Scripted
from heartfelt.telemetry import Telemetry

SAID = "I failed my exam."


async def spans_of(model: Scripted, recipe: str) -> Sequence[ReadableSpan]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    listener = Listener(Setup(recipe=recipe, memory="none"), model=model, observers=(Telemetry(provider.get_tracer("test")),))
    try:
        await listener.answer(of_text(SAID))
    finally:
        provider.shutdown()
    return exporter.get_finished_spans()


async def test_steps_lie_inside_passes_inside_the_turn():
    spans = {span.name: span for span in await spans_of(Scripted({"respond": "That hurts."}), "direct")}
    assert set(spans) == {"heartfelt.turn", "heartfelt.pass", "heartfelt.respond"}
    assert spans["heartfelt.respond"].parent.span_id == spans["heartfelt.pass"].context.span_id
    assert spans["heartfelt.pass"].parent.span_id == spans["heartfelt.turn"].context.span_id
    assert spans["heartfelt.respond"].attributes["gen_ai.usage.output_tokens"] > 0


async def test_nothing_that_was_said_is_exported():
    spans = await spans_of(Scripted({"respond": "That hurts."}), "direct")
    assert not any(SAID in str(span.attributes) or "That hurts" in str(span.attributes) for span in spans)


async def test_a_failed_turn_is_an_error():
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry = Telemetry(provider.get_tracer("test"))
    listener = Listener(Setup(recipe="trace", memory="none"), model=Scripted({"forecast": "nonsense"}), observers=(telemetry,))
    with pytest.raises(BadOutput):
        await listener.answer(of_text(SAID))
    assert {span.name: span.status.status_code for span in exporter.get_finished_spans()} == {
        "heartfelt.turn": StatusCode.ERROR,
        "heartfelt.pass": StatusCode.ERROR,
        "heartfelt.forecast": StatusCode.ERROR,
    }
