"""Turns as OpenTelemetry spans: an observer, behind the extra `telemetry`.

The names are those of the `gen_ai` semantic conventions where they have one, and `heartfelt.*` elsewhere. What people said is
not exported: spans hold names, counts and times.
"""

from typing import TYPE_CHECKING

from heartfelt.errors import MissingExtra
from heartfelt.events import Audited, Event, PassStarted, StepFinished, StepStarted, TurnFailed, TurnFinished, TurnStarted
from heartfelt.records import Call

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


class Telemetry:
    """One span a turn, one a pass below it, one a step below that. Give a `tracer`, or the globally set-up one is used."""

    def __init__(self, tracer: "Tracer | None" = None):
        try:
            from opentelemetry import trace
        except ImportError:
            raise MissingExtra("Telemetry", "telemetry") from None
        self._trace = trace
        self._tracer = tracer or trace.get_tracer("heartfelt")
        self._open: list[Span] = []

    def __call__(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._begin(
                    "heartfelt.turn", 0, {"heartfelt.recipe": event.setup["recipe"], "gen_ai.request.model": event.model}
                )
            case PassStarted():
                self._begin("heartfelt.pass", 1, {"heartfelt.pass": event.number, "heartfelt.started_from": event.started_from})
            case StepStarted(step=step):
                self._begin(f"heartfelt.{step}", 2, {"heartfelt.step": step})
            case StepFinished(record=record):
                self._count(record.calls, findings=len(record.findings))
                self._end(2)
            case Audited(audit=audit):
                self._open[-1].set_attribute("heartfelt.blamed", audit.blamed or "")
            case TurnFinished():
                self._end(0)
            case TurnFailed(error=error):
                self._fail(error)
            case _:
                pass

    def _begin(self, name: str, depth: int, attributes: dict[str, str | int]) -> None:
        self._end(depth)
        parent = self._trace.set_span_in_context(self._open[-1]) if self._open else None
        self._open.append(self._tracer.start_span(name, context=parent, attributes=attributes))

    def _end(self, depth: int) -> None:
        """End the span at this depth and all below it."""
        while len(self._open) > depth:
            self._open.pop().end()

    def _count(self, calls: tuple[Call, ...], *, findings: int) -> None:
        span = self._open[-1]
        span.set_attribute("gen_ai.operation.name", "chat")
        span.set_attribute("gen_ai.usage.input_tokens", sum(call.prompt_tokens for call in calls))
        span.set_attribute("gen_ai.usage.output_tokens", sum(call.output_tokens for call in calls))
        span.set_attribute("gen_ai.usage.cache_read.input_tokens", sum(call.cached_tokens for call in calls))
        span.set_attribute("heartfelt.calls", len(calls))
        span.set_attribute("heartfelt.findings", findings)

    def _fail(self, error: str) -> None:
        for span in self._open:
            span.set_attribute("error.type", error)
            span.set_status(self._trace.StatusCode.ERROR)
        self._end(0)


def exporting() -> Telemetry:
    """Telemetry that sends spans to the collector that the usual OTEL_ environment variables name."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra("Telemetry", "telemetry") from None
    provider = TracerProvider(resource=Resource.create({"service.name": "heartfelt"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Telemetry(provider.get_tracer("heartfelt"))
