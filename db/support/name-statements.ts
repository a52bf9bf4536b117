import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';

/** For generated texts: an unlimited number of names would fill the server's memory. */
const maxNames = 200;

/** At the start of a text that differs each time: it gets no name, so that names stay free for others. */
export const variesMark = '/* varies */';

const names = new Map<string, string>();
let putTogether = 0;

/**
 * Gives every statement with values a name, so that PostgreSQL parses and plans it once per connection instead of
 * once per call: planning a wide read costs as much as running it.
 *
 * Statements without values, which the ORM sends, are unchanged.
 */
export function nameStatements(pool: Pool): void {
  pool.on('connect', nameStatementsOf);
}

function nameStatementsOf(client: PoolClient): void {
  const send = client.query.bind(client);
  const sendNamed = (...input: unknown[]): unknown => {
    const [text, values] = input;
    if (typeof text !== 'string' || !isBound(values) || text.startsWith(variesMark))
      return Reflect.apply(send, client, input);
    const name = nameOf(text);
    return send({ text, values, ...(name === undefined ? {} : { name }) });
  };
  Object.assign(client, { query: sendNamed });
}

const isBound = (values: unknown): values is unknown[] => Array.isArray(values) && values.length > 0;

/** The name of a text; undefined where too many generated texts have names already. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (putTogether === maxNames) return undefined;
  putTogether++;
  return giveName(text);
}

/** Gives a constant text a permanent name. */
export function giveName(text: string): string {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}
