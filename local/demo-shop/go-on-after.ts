import type { EntityManager } from '@mikro-orm/postgresql';

/** Where the demo shop chose ids itself, the next one the database makes must not be one of them. */
export async function goOnAfter(em: EntityManager, table: string, idColumn: string): Promise<void> {
  await em.execute(
    `select setval(pg_get_serial_sequence('${table}', '${idColumn}'), (select max("${idColumn}") from "${table}"))`,
  );
}
