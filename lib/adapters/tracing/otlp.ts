import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as traceApi, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { describeError, type Logger } from '#lib/log.ts';
import type { FinishedSpan, Tracer } from '#lib/ports/tracer.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const SEND_EVERY_MS = 2_000;

/**
 * Sends spans to a collector by OTLP over HTTP. Loaded where `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and nowhere else;
 * headers and timeouts are the exporter's own variables (`OTEL_EXPORTER_OTLP_HEADERS` and others).
 */
export function createOtlpTracer(
  { endpoint, ...about }: { endpoint: string; version: string; role: string },
  log: Logger,
): Tracer {
  const ids = createGivenIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'callwright',
      'service.version': about.version,
      'callwright.role': about.role,
    }),
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }),
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('callwright', about.version);

  return {
    isOn: true,
    record(span) {
      if (!span.trace.isSampled) return;
      ids.give(span.trace);
      const made = tracer.startSpan(
        span.name,
        { kind: KINDS[span.kind], startTime: span.startedAt, attributes: attributesOf(span) },
        contextOf(span),
      );
      if (span.error !== undefined) made.setStatus({ code: SpanStatusCode.ERROR, message: span.error });
      made.end(span.endedAt);
    },
    async stop() {
      await provider
        .shutdown()
        .catch((error: unknown) => log.warn({ event: 'traces_lost', error: describeError(error) }));
    },
  };
}

/** Ids that were decided before: a span's children are often told earlier than the span, and by another process. */
function createGivenIds() {
  let given = { traceId: '', spanId: '' };
  return {
    give: (ids: { traceId: string; spanId: string }) => void (given = ids),
    generateTraceId: () => given.traceId,
    generateSpanId: () => given.spanId,
  };
}

function contextOf({ trace, parentSpanId }: FinishedSpan) {
  if (parentSpanId === undefined) return ROOT_CONTEXT;
  return traceApi.setSpanContext(ROOT_CONTEXT, {
    traceId: trace.traceId,
    spanId: parentSpanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

function attributesOf({ attributes = {} }: FinishedSpan): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) known[name] = value;
  return known;
}
