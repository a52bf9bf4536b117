import { appendFileSync } from 'node:fs';
import pg from 'pg';

/**
 * Loaded before the API: writes down every statement with its values and the rows it brought, in the order they were
 * answered. What the baseline does is thereby what the route does, today and after every change.
 */
const file = process.env['BENCH_RECORDING'];
const send: (...given: unknown[]) => unknown = Reflect.get(pg.Client.prototype, 'query');

interface Sent {
  text: string;
  values: unknown[];
}

function record(this: pg.Client, ...given: unknown[]): unknown {
  const sent = sentBy(given);
  if (file === undefined || sent === undefined) return Reflect.apply(send, this, given);
  const note = (rows: unknown[]) => appendFileSync(file, `${JSON.stringify({ ...sent, rows })}\n`);
  const whenDone = given.at(-1);
  if (typeof whenDone === 'function') {
    const noting = (error: unknown, result: unknown) => {
      note(rowsOf(result));
      Reflect.apply(whenDone, undefined, [error, result]);
    };
    return Reflect.apply(send, this, [...given.slice(0, -1), noting]);
  }
  const answer: unknown = Reflect.apply(send, this, given);
  if (!(answer instanceof Promise)) return answer;
  return answer.then((result: unknown) => {
    note(rowsOf(result));
    return result;
  });
}

function sentBy([query, values]: unknown[]): Sent | undefined {
  if (typeof query === 'string') return { text: query, values: Array.isArray(values) ? values : [] };
  if (typeof query !== 'object' || query === null || !('text' in query)) return undefined;
  const own = 'values' in query && Array.isArray(query.values) ? query.values : [];
  return { text: String(query.text), values: Array.isArray(values) ? values : own };
}

const rowsOf = (result: unknown): unknown[] =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows) ? result.rows : [];

Object.assign(pg.Client.prototype, { query: record });
