import { readdirSync } from 'node:fs';
import { TableNotFoundException, type EntityManager } from '@mikro-orm/postgresql';
import { firstDay, firstDayFingerprint } from './support/migration-options.ts';
import { definite, orNull, text } from './support/entity-columns.ts';
import { statement } from './support/statement.ts';

/** Every migration of this release, by name. */
const shipped = readdirSync(new URL('./migrations/', import.meta.url))
  .filter((file) => /^Migration\d.*\.[jt]s$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length));

/**
 * The migrations of this release that the database does not have yet; empty when it is up to date. Throws `OtherTables`
 * where the first migration that was applied is not the one of these sources: its name stays until the first release,
 * but it is made anew.
 */
export async function pendingMigrations(em: EntityManager): Promise<string[]> {
  const applied = new Map((await readApplied.all(em)).map(({ name, fingerprint }) => [name, fingerprint]));
  ours ??= firstDayFingerprint();
  if (applied.has(firstDay) && applied.get(firstDay) !== ours) throw new OtherTables();
  return shipped.filter((name) => !applied.has(name));
}

/** The migrations that the database has and this release does not know: a newer release made them. */
export async function unknownMigrations(em: EntityManager): Promise<string[]> {
  const known = new Set(shipped);
  return (await readApplied.all(em)).map(({ name }) => name).filter((name) => !known.has(name));
}

let ours: string | undefined;

/** The tables are of another state of the first migration. Until the first release nothing brings them up to date. */
export class OtherTables extends Error {
  override name = 'OtherTables';

  constructor() {
    super(
      'The tables of this database were made by other sources than these. A local shop: npm run tools -- reset --yes; any other: a new database, until the first release.',
    );
  }
}

/** Throws `OtherTables`. A database without our tables has no other ones. */
export async function refuseOtherTables(em: EntityManager): Promise<void> {
  await pendingMigrations(em).catch((error: unknown) => {
    if (!(error instanceof TableNotFoundException)) throw error;
  });
}

// The migrator's own table says nothing of null; it names every row. Tables from before the fingerprint lack its column.
const readApplied = statement({
  takes: {},
  gives: { name: definite(text), fingerprint: orNull(text) },
  text: `select name, to_jsonb(applied) ->> 'fingerprint' as fingerprint from schema_migration applied`,
});
