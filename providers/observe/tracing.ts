import type { Settings } from '../settings.ts';

/**
 * Traces, where `OTEL_EXPORTER_OTLP_ENDPOINT` says who wants them. Nothing of OpenTelemetry is loaded otherwise, and each
 * place that would make a span does its work and no more.
 */

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

/** What makes spans; `opentelemetry.ts` is the one that does. */
export interface Tracing {
  inSpan: <Result>(span: SpanFacts, work: (tell: TellSpan) => Promise<Result>) => Promise<Result>;
  /** Of the span that is under way, for the next who is asked; undefined outside of any. */
  traceparent: () => string | undefined;
  /** Sends what is left. */
  end: () => Promise<void>;
}

/** One for the process, as its log is: what it calls knows nothing of who began. */
let tracing: Tracing | undefined;

/** Begins to trace where somebody wants that; before anything that asks `isTracing`. */
export async function startTracing(service: string, settings: Settings): Promise<void> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return;
  const { createTracing } = await import('./opentelemetry.ts');
  tracing = createTracing(service, settings);
}

export const isTracing = (): boolean => tracing !== undefined;

export const endTracing = async (): Promise<void> => tracing?.end();

const tellNobody: TellSpan = () => undefined;

/** Does the work in a span; its error, where it fails, is the span's and goes on to the caller. */
export const inSpan = <Result>(span: SpanFacts, work: (tell: TellSpan) => Promise<Result>): Promise<Result> =>
  tracing === undefined ? work(tellNobody) : tracing.inSpan(span, work);

/** The header that hands the trace on; empty where there is none. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = tracing?.traceparent();
  return traceparent === undefined ? {} : { traceparent };
}
