import { readdirSync } from 'node:fs';
import { TableNotFoundException, type EntityManager } from '@mikro-orm/postgresql';
import { firstDay, firstDayFingerprint } from './support/migration-options.ts';
import { orNull, text } from './support/entity-columns.ts';
import { sql } from './support/sql.ts';

/** Every migration of this release, by name, in their order. */
export const shipped = readdirSync(new URL('./migrations/', import.meta.url))
  .filter((file) => /^Migration\d.*\.[jt]s$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted();

/** How the tables of a database compare with these sources. */
export interface SchemaState {
  /** Migrations of these sources that the database does not have yet. */
  pending: string[];
  /** Migrations that a newer release applied; they left everything that these sources need. */
  newer: string[];
}

/**
 * Compares the migrations of a database with those of these sources. Throws `OtherTables` where the first migration
 * that was applied is not the one of these sources: before release 2.0.0 it was made anew under the same name. Throws
 * `NewerTables` where a newer release took away what these sources need: they lack the step that its step names.
 */
export async function readSchemaState(em: EntityManager, known: readonly string[] = shipped): Promise<SchemaState> {
  const rows = await readApplied.all(em);
  const applied = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  ours ??= firstDayFingerprint();
  if (applied.has(firstDay) && applied.get(firstDay) !== ours) throw new OtherTables();
  const unknown = rows.filter(({ name }) => !known.includes(name));
  const contracting = unknown.filter(({ needs }) => needs !== null && !known.includes(needs));
  if (contracting.length > 0) throw new NewerTables(contracting.map(({ name }) => name));
  return { pending: known.filter((name) => !applied.has(name)), newer: unknown.map(({ name }) => name) };
}

let ours: string | undefined;

/**
 * The migrations that the database does not have yet; empty when it is up to date. Throws as `readSchemaState` does.
 */
export const pendingMigrations = async (em: EntityManager): Promise<string[]> => (await readSchemaState(em)).pending;

/** These sources cannot work with the tables of this database; its message is one sentence with what to do. */
export class OtherTables extends Error {
  override name = 'OtherTables';

  constructor(
    sentence = 'The tables of this database are older than the first release, or were made by other sources than these. ' +
      'A local shop: npm run tools -- reset --yes; any other: a new database.',
  ) {
    super(sentence);
  }
}

/** A newer release took away what these sources need. */
export class NewerTables extends OtherTables {
  override name = 'NewerTables';
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(
      `This database was migrated by a newer release, which took away what this one needs (${names.join(', ')}); start the newer release.`,
    );
    this.names = names;
  }
}

/** For a log and for migrate: the older release works, as after a roll back of the code. */
export const newerNotice = (names: readonly string[]): string =>
  `This database was migrated by a newer release (${names.join(', ')}). This release works with it; go back to the newer one when you can.`;

/** A database without our tables has no other ones. */
export const hasNoTables = (error: unknown): boolean => error instanceof TableNotFoundException;

/**
 * Throws `OtherTables`. A database without our tables has no other ones.
 *
 * @returns what to log where a newer release migrated the database
 */
export async function refuseOtherTables(em: EntityManager): Promise<string | undefined> {
  const state = await readSchemaState(em).catch((error: unknown) => {
    if (!hasNoTables(error)) throw error;
  });
  return state && state.newer.length > 0 ? newerNotice(state.newer) : undefined;
}

// The migrator's own table says nothing of null; it names every row. Tables from before the last columns lack them.
const readApplied = sql('pending-migrations.readApplied', {
  gives: { fingerprint: orNull(text), needs: orNull(text) },
})`
  select name, to_jsonb(applied) ->> 'fingerprint' as fingerprint,
    to_jsonb(applied) ->> 'needs' as needs
  from schema_migration applied order by id`;
