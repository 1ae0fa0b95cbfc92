"""All names of metrics, spans and their attributes, and how they leave the process."""

import json
import logging
import sys
from collections.abc import Sequence
from typing import Any

from opentelemetry import metrics, trace
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, SpanKind, TraceFlags, format_trace_id

from bus.header import TraceParent
from bus.sparing import Sparing

TRACEPARENT = "traceparent"
AGGREGATE = "capicua.aggregate"
CODE = "capicua.code"

_meter = metrics.get_meter("capicua")
_tracer = trace.get_tracer("capicua")

commands_decided = _meter.create_counter("capicua_commands_decided", description="commands by decider and answer")
command_wait_ms = _meter.create_histogram(
    "capicua_command_wait_ms",
    unit="ms",
    description="from a command's log time to its decision, the longest of each slice of work",
)
outcome_confirm_ms = _meter.create_histogram(
    "capicua_outcome_confirm_ms",
    unit="ms",
    description="from a decision to its acknowledgement by the log, the longest of each",
)
claims = _meter.create_counter("capicua_claims", description="claims and drops of partitions, by decider and reason")
records_ignored = _meter.create_counter("capicua_records_ignored", description="records that count for nobody")
alarms = _meter.create_counter("capicua_alarms", description="what people must look at, by kind; the log has the rest")
restored = _meter.create_counter(
    "capicua_restored_records", description="records read to take a partition over, by topic and kind"
)
snapshots = _meter.create_counter("capicua_snapshots", description="snapshots written, by decider and result")
sockets = _meter.create_up_down_counter("capicua_sockets", description="open WebSocket connections")
socket_delay_ms = _meter.create_histogram(
    "capicua_socket_delay_ms", unit="ms", description="round trips of the pings of WebSocket connections"
)
views_sent = _meter.create_counter("capicua_views_sent", description="table views sent to sockets")
requests_refused = _meter.create_counter("capicua_requests_refused", description="refused before the log, by code")
timeouts_sent = _meter.create_counter("capicua_timeouts_sent", description="timeout commands sent, by decider and kind")
timeouts_too_early = _meter.create_counter(
    "capicua_timeouts_too_early", description="timeout commands refused as too early, by decider"
)
timeouts_unanswered = _meter.create_gauge(
    "capicua_timeouts_unanswered", description="timeout commands sent whose outcome has not been read, by decider"
)
timer_armed = _meter.create_gauge("capicua_timer_armed", description="deadlines that stand, by decider and kind")
timer_overdue = _meter.create_gauge(
    "capicua_timer_overdue", description="deadlines due for more than a second that have not been sent, by decider"
)
timer_restore_seconds = _meter.create_histogram(
    "capicua_timer_restore_seconds", unit="s", description="from the gaining of a partition to its last record"
)
timer_snapshot_bytes = _meter.create_gauge(
    "capicua_timer_snapshot_bytes", unit="By", description="of the newest snapshot of the alarms, by partition"
)
timer_snapshot_age_seconds = _meter.create_gauge(
    "capicua_timer_snapshot_age_seconds", unit="s", description="since the oldest of the newest snapshots was written"
)
timeout_lateness_ms = _meter.create_histogram(
    "capicua_timeout_lateness_ms", unit="ms", description="from a deadline to the sending of its timeout"
)
cache_writes = _meter.create_counter("capicua_cache_writes", description="table states written to the live cache")
ledger_commands = _meter.create_counter("capicua_ledger_commands", description="commands by ledger and answer")
outbox_wait_ms = _meter.create_histogram(
    "capicua_outbox_wait_ms",
    unit="ms",
    description="from the writing of a ledger's letter to its sending, the longest of each batch",
)
outbox_sent = _meter.create_counter("capicua_outbox_sent", description="letters of a ledger that became durable")
mails = _meter.create_counter("capicua_mails", description="mails by what became of them: sent, delayed, refused …")
dead_letters = _meter.create_counter("capicua_dead_letters", description="records written to a dead-letter topic")


class _JsonLines(logging.Formatter):
    """One JSON object a line. Only what the caller passes as `extra={"fields": {...}}` is added."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "service": self._service,
            "logger": record.name,
            "message": record.getMessage(),
        }
        span = trace.get_current_span().get_span_context()
        if span.is_valid:
            line["trace_id"] = format_trace_id(span.trace_id)
        line.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = type(record.exc_info[1]).__name__
            line["where"] = _places(record.exc_info[2])
        return json.dumps(line, ensure_ascii=False, default=str)


def _places(traceback: Any) -> list[str]:
    """File and line of each frame, without values: an exception's text may hold a hand or a token."""
    places: list[str] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        places.append(f"{code.co_filename.rsplit('/', 1)[-1]}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return places[-8:]


def start(service: str, otlp_endpoint: str | None = None, sampled: float = 0.01) -> None:
    """Sends logs as JSON lines to standard error, metrics to the process's Prometheus page, spans to OTLP if given."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines(service))
    handler.addFilter(Sparing("aiokafka"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("aiokafka").setLevel(logging.ERROR)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it tells each request
    resource = Resource.create({"service.name": f"capicua-{service}"})
    metrics.set_meter_provider(MeterProvider(resource=resource, metric_readers=[PrometheusMetricReader()]))
    ratio = sampled if otlp_endpoint else 0.0
    tracing = TracerProvider(resource=resource, sampler=ParentBased(TraceIdRatioBased(ratio)))
    if otlp_endpoint:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # heavy, and rarely wanted

        tracing.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{otlp_endpoint}/v1/traces")))
    trace.set_tracer_provider(tracing)


def span(name: str, parent: TraceParent | None, kind: SpanKind = SpanKind.INTERNAL, **attributes: str | int) -> Span:
    """An open span, child of `parent` when there is one; end it with `span.end()`."""
    context = None
    if parent is not None:
        remote = SpanContext(
            int.from_bytes(parent.trace_id, "big"),
            int.from_bytes(parent.span_id, "big"),
            True,
            TraceFlags(parent.flags),
        )
        context = trace.set_span_in_context(NonRecordingSpan(remote))
    return _tracer.start_span(name, context, kind, attributes)


def trace_parent(of: Span) -> TraceParent | None:
    """What children of the span `of` get as their parent."""
    context = of.get_span_context()
    if not context.is_valid:
        return None
    return TraceParent(
        context.trace_id.to_bytes(16, "big"), context.span_id.to_bytes(8, "big"), int(context.trace_flags)
    )


def format_traceparent(parent: TraceParent) -> bytes:
    """The W3C header's text."""
    return f"00-{parent.trace_id.hex()}-{parent.span_id.hex()}-{parent.flags:02x}".encode()


def parse_traceparent(headers: Sequence[tuple[str, bytes]]) -> TraceParent | None:
    """The trace context of a command's record headers, or None when it is missing or malformed."""
    for key, value in headers:
        if key == TRACEPARENT:
            parts = value.split(b"-")
            if [len(part) for part in parts] != [2, 32, 16, 2]:
                return None
            try:
                trace_id, span_id = bytes.fromhex(parts[1].decode()), bytes.fromhex(parts[2].decode())
                return TraceParent(trace_id, span_id, int(parts[3], 16))
            except ValueError:
                return None
    return None
