import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';

/** For texts that are put together; one that varies without end must not fill the server's memory. */
const maxNames = 200;

/** At the start of a text that is another one each time: it takes no name, which another could have kept. */
export const variesMark = '/* varies */';

const names = new Map<string, string>();
let putTogether = 0;

/**
 * Gives every statement that comes with values a name, so that PostgreSQL parses and plans it once per connection
 * instead of once per call: planning a wide read costs as much as running it.
 *
 * Statements without values, which is what the ORM sends, are left as they are.
 */
export function nameStatements(pool: Pool): void {
  pool.on('connect', nameStatementsOf);
}

function nameStatementsOf(client: PoolClient): void {
  const send = client.query.bind(client);
  const sendNamed = (...given: unknown[]): unknown => {
    const [text, values] = given;
    if (typeof text !== 'string' || !isBound(values) || text.startsWith(variesMark))
      return Reflect.apply(send, client, given);
    const name = nameOf(text);
    return send({ text, values, ...(name === undefined ? {} : { name }) });
  };
  Object.assign(client, { query: sendNamed });
}

const isBound = (values: unknown): values is unknown[] => Array.isArray(values) && values.length > 0;

/** The name of a text; undefined where too many have one that were put together while the process ran. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (putTogether === maxNames) return undefined;
  putTogether++;
  return giveName(text);
}

/** Gives a text a name that nothing else can take: for a constant, which is written once and sent for ever. */
export function giveName(text: string): string {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}
