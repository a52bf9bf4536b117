import pg from 'pg';
import type { Recorded } from '../replay.ts';

type Send = (...given: unknown[]) => unknown;

/**
 * Reports every statement of this process, with its values and its rows, in the order of the answers.
 *
 * @returns a function that stops it
 */
export function noteStatements(note: (one: Recorded) => void): () => void {
  const send: Send = Reflect.get(pg.Client.prototype, 'query');
  Object.assign(pg.Client.prototype, { query: noting(send, note) });
  return () => Object.assign(pg.Client.prototype, { query: send });
}

const noting = (send: Send, note: (one: Recorded) => void) =>
  function record(this: pg.Client, ...given: unknown[]): unknown {
    const sent = sentBy(given);
    if (sent === undefined) return Reflect.apply(send, this, given);
    const whenDone = given.at(-1);
    if (typeof whenDone === 'function') {
      const done = (error: unknown, result: unknown) => {
        note({ ...sent, rows: rowsOf(result) });
        Reflect.apply(whenDone, undefined, [error, result]);
      };
      return Reflect.apply(send, this, [...given.slice(0, -1), done]);
    }
    const answer: unknown = Reflect.apply(send, this, given);
    if (!(answer instanceof Promise)) return answer;
    return answer.then((result: unknown) => {
      note({ ...sent, rows: rowsOf(result) });
      return result;
    });
  };

function sentBy([query, values]: unknown[]): Omit<Recorded, 'rows'> | undefined {
  if (typeof query === 'string') return { text: query, values: Array.isArray(values) ? values : [] };
  if (typeof query !== 'object' || query === null || !('text' in query)) return undefined;
  const own = 'values' in query && Array.isArray(query.values) ? query.values : [];
  return { text: String(query.text), values: Array.isArray(values) ? values : own };
}

const rowsOf = (result: unknown): unknown[] =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows) ? result.rows : [];
