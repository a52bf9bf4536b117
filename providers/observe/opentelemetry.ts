import { setTimeout as pause } from 'node:timers/promises';
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Settings } from '../settings.ts';

export interface SpanFacts {
  name: string;
  kind: 'server' | 'client' | 'internal';
  /** The header `traceparent` of whoever asked; absent: the span that is under way here. */
  parent?: string | undefined;
  /** Never what a customer or a cashier wrote. */
  facts?: Readonly<Record<string, string | number>>;
}

/** Adds to a span what is known at its end. */
export type TellSpan = (known: { name?: string; facts?: SpanFacts['facts']; hasFailed?: boolean }) => void;

/** What makes spans. */
export interface Tracing {
  inSpan: <Result>(span: SpanFacts, work: (tell: TellSpan) => Promise<Result>) => Promise<Result>;
  /** Of the span that is under way, for the next who is asked; undefined outside of any. */
  traceparent: () => string | undefined;
  /** Sends what is left. */
  end: () => Promise<void>;
}

/** A trace is looked at minutes later; what is under way is small. */
const sendEveryMs = 1_000;
const mostWaiting = 2_048;
const longestEndMs = 2_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/**
 * Spans that go to the collector by OTLP over HTTP, as JSON. Address, headers and timeout are the standard variables of
 * the exporter, the service's name and other facts those of the resource.
 */
export function createTracing(service: string, settings: Settings): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    // The older form, an exporter alone, sends nothing and says nothing.
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: sendEveryMs,
        maxQueueSize: mostWaiting,
      }),
    ],
  });
  const tracer = provider.getTracer('point-of-sale');

  return {
    inSpan({ name, kind, parent, facts = {} }, work) {
      const from = parent === undefined ? context.active() : remote(parent);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...facts } }, from);
      return context.with(trace.setSpan(from, span), async () => {
        try {
          return await work((known) => tell(span, known));
        } catch (error) {
          fail(span, error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
    traceparent() {
      const now = trace.getSpan(context.active())?.spanContext();
      if (!now) return undefined;
      return `00-${now.traceId}-${now.spanId}-${now.traceFlags.toString(16).padStart(2, '0')}`;
    },
    // A collector that is away keeps no process from its end.
    end: () => Promise.race([provider.shutdown(), pause(longestEndMs, undefined, { ref: false })]),
  };
}

/** Its name alone: a message may quote what somebody wrote. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
}

function tell(
  span: Span,
  { name, facts, hasFailed }: { name?: string; facts?: SpanFacts['facts']; hasFailed?: boolean },
): void {
  if (name !== undefined) span.updateName(name);
  if (facts) span.setAttributes({ ...facts });
  if (hasFailed === true) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** W3C Trace Context, version 00; longer ones of later versions begin in the same way. */
const header = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** A header that is not one begins a trace of ours. */
function remote(traceparent: string): Context {
  const [, traceId, spanId, flags = '00'] = header.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** By the standard words; absent: every trace, unless whoever asked decided otherwise. */
function samplerOf({ OTEL_TRACES_SAMPLER: word, OTEL_TRACES_SAMPLER_ARG: ratio }: Settings): Sampler {
  const root = word.endsWith('always_off')
    ? new AlwaysOffSampler()
    : word.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return word.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
