import { readdirSync } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';

/** Every migration of this release, by name. */
const shipped = readdirSync(new URL('./migrations/', import.meta.url))
  .filter((file) => /^Migration\d.*\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length));

/** The migrations of this release that the database does not have yet; empty when it is up to date. */
export async function pendingMigrations(em: EntityManager): Promise<string[]> {
  const rows = await em.getConnection().execute<{ name: string }[]>('select name from schema_migration');
  const applied = new Set(rows.map(({ name }) => name));
  return shipped.filter((name) => !applied.has(name));
}
