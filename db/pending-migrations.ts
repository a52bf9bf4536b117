import { readdirSync } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';
import { definite, text } from './support/entity-columns.ts';
import { statement } from './support/statement.ts';

/** Every migration of this release, by name. */
const shipped = readdirSync(new URL('./migrations/', import.meta.url))
  .filter((file) => /^Migration\d.*\.[jt]s$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length));

/** The migrations of this release that the database does not have yet; empty when it is up to date. */
export async function pendingMigrations(em: EntityManager): Promise<string[]> {
  const applied = new Set((await readApplied.all(em)).map(({ name }) => name));
  return shipped.filter((name) => !applied.has(name));
}

// The migrator's own table says nothing of null; it names every row.
const readApplied = statement({
  takes: {},
  gives: { name: definite(text) },
  text: 'select name from schema_migration',
});
