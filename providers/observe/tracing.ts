import type { Settings } from '../settings.ts';
import type { SpanFacts, TellSpan, Tracing } from './opentelemetry.ts';

/**
 * Traces, where `OTEL_EXPORTER_OTLP_ENDPOINT` says who wants them. Nothing of OpenTelemetry is loaded otherwise, and
 * each place that would make a span does its work and no more.
 */

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
