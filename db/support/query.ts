import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Runs a hot statement with its values apart (`$1`, `$2` …), in the caller's transaction if there is one.
 *
 * Its text stays the same from call to call, so each connection plans it once (`nameStatements`). Everything else goes
 * through `em.execute`. Rows are plain: numerics, bigints and timestamps are text.
 */
export async function query<Row extends object>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    if (!em.isInTransaction()) return await queryAlone<Row>(em, text, values);
    const { rows } = await em.getKysely().executeQuery<Row>({
      sql: text,
      parameters: values,
      query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
      queryId: { queryId: text },
    });
    return rows;
  } catch (error) {
    throw error instanceof Error ? em.getPlatform().getExceptionConverter().convertException(error) : error;
  }
}

/**
 * Outside a transaction there is nothing to join, so the statement goes straight to a connection. Not `pool.query`: that
 * throws the connection away with each refusal.
 */
async function queryAlone<Row extends object>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = await em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    client.release();
  }
}
