import type { EntityManager } from '@mikro-orm/postgresql';

/** Moves a table's sequence past the ids that the demo shop chose itself. */
export async function goOnAfter(em: EntityManager, table: string, idColumn: string): Promise<void> {
  await em.execute(
    `select setval(pg_get_serial_sequence('${table}', '${idColumn}'), (select max("${idColumn}") from "${table}"))`,
  );
}
