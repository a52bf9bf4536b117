import type { EntityManager } from '@mikro-orm/postgresql';
import type { Hasty } from './connections/guard-client.ts';

/**
 * A read that runs on nearly every request: planned once per connection, not once per call.
 *
 * Columns are named one by one: after a migration a prepared `select *` would fail until the connection is new.
 */
export interface PreparedRead {
  /** Of its own: a connection knows the statement by it. */
  name: string;
  /** With `$1`, `$2` … for its parameters. */
  text: string;
}

/** Such a read takes a few milliseconds: a server that is silent for so long stands still. */
const hasty: Hasty = { answerWithinMs: 3_000 };

/**
 * Runs a prepared read outside any transaction. Rows are plain: numerics, bigints and timestamps as text, JSON parsed.
 */
export async function readPrepared<Row extends object>(
  em: EntityManager,
  { name, text }: PreparedRead,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = await em.getConnection().getNativeClient();
  const { rows } = await pool.query<Row>({ name, text, values: [...values], ...hasty });
  return rows;
}
