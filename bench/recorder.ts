import { appendFileSync } from 'node:fs';
import pg from 'pg';

/**
 * Loaded before the API: writes down every statement with its values and the rows it brought, in the order they were
 * sent. What the baseline does is thereby what the route does, today and after every change.
 */
const file = process.env['BENCH_RECORDING'];
const send = pg.Client.prototype.query;

interface Sent {
  text: string;
  values: unknown[];
  rows: unknown[];
}

function record(this: pg.Client, ...given: unknown[]): unknown {
  const answer: unknown = Reflect.apply(send, this, given);
  const sent = sentBy(given);
  if (file === undefined || sent === undefined || !(answer instanceof Promise)) return answer;
  return answer.then((result: { rows?: unknown[] }) => {
    appendFileSync(file, `${JSON.stringify({ ...sent, rows: result.rows ?? [] })}\n`);
    return result;
  });
}

function sentBy([query, values]: unknown[]): Sent | undefined {
  if (typeof query === 'string') return { text: query, values: Array.isArray(values) ? values : [], rows: [] };
  if (typeof query !== 'object' || query === null || !('text' in query)) return undefined;
  const own = 'values' in query && Array.isArray(query.values) ? query.values : [];
  return { text: String(query.text), values: Array.isArray(values) ? values : own, rows: [] };
}

Object.assign(pg.Client.prototype, { query: record });
