import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { RowOf } from './entity-columns.ts';
import { changesOf, writeRows, type Written } from './write-rows.ts';

/** The last read or saved values of rows: kept as long as the row itself. */
const asStored = new WeakMap<object, object>();

/** Remembers a row's stored values, so that `saveRows` can tell its changes. */
export function keep<Row extends object>(row: Row): Row {
  asStored.set(row, { ...row });
  return row;
}

/** Rows of one table that were remembered when they were read. */
export interface StoredRows {
  rows: readonly object[];
  changes: () => Written;
}

/** Rows of an entity, for `saveRows`. Fault: a row that was not remembered. */
export const cached = <Entity extends EntitySchemaWithMeta>(
  entity: Entity,
  rows: readonly RowOf<Entity>[],
): StoredRows => ({ rows, changes: () => changesOf(entity, rows.map(storedOf), rows) });

/**
 * Writes what was changed of rows since they were read or last saved, all tables in one statement, in the caller's
 * transaction. Nothing is sent where nothing was changed, so a repeat writes nothing.
 *
 * @param added new rows that are written by the same statement
 */
export async function saveRows(
  em: EntityManager,
  tables: readonly StoredRows[],
  added: readonly Written[] = [],
): Promise<void> {
  await writeRows(em, { added, changed: tables.map(({ changes }) => changes()) });
  for (const { rows } of tables) rows.forEach(keep);
}

function storedOf<Row extends object>(row: Row): Row {
  const stored = asStored.get(row);
  if (!stored) throw new Error('a row is saved that was not kept when it was read');
  return stored as Row;
}

/** How many rows of a list are added up within a second; the rest waits for the next time. */
export const mostAtOnce = 50_000;
