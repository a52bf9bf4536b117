import { isDeepStrictEqual } from 'node:util';
import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { columnsOf, type Column, type NewRowOf, type RowOf } from './entity-columns.ts';
import { send } from './send.ts';

type Values = Readonly<Record<string, unknown>>;

/** Rows of one table, for a statement that writes to several tables. */
export interface Written {
  table: string;
  columns: readonly Column[];
  rows: readonly Values[];
}

/** New rows; an absent value gets the column's default. */
export function into<Entity extends EntitySchemaWithMeta>(entity: Entity, given: readonly NewRowOf<Entity>[]): Written {
  const rows: readonly Values[] = given;
  const columns = columnsOf(entity).filter(({ key }) => rows.some((row) => row[key] !== undefined));
  return { table: entity.meta.tableName, columns, rows };
}

/** The changes of some rows; both lists have the same order. */
export function changesOf<Entity extends EntitySchemaWithMeta>(
  entity: Entity,
  before: readonly RowOf<Entity>[],
  after: readonly RowOf<Entity>[],
): Written {
  const [were, are]: [readonly Values[], readonly Values[]] = [before, after];
  const columns = columnsOf(entity);
  const changed = new Set(columns.filter(({ isPrimary, changesWithRow }) => isPrimary || changesWithRow));
  const rows = are.filter((row, at) => {
    const differing = columns.filter(({ key }) => !isSame(row[key], were[at]?.[key]));
    for (const column of differing) changed.add(column);
    return differing.length > 0;
  });
  const now = Object.fromEntries(columns.filter((one) => one.changesWithRow).map(({ key }) => [key, new Date()]));
  return {
    table: entity.meta.tableName,
    columns: columns.filter((column) => changed.has(column)),
    rows: rows.map((row) => ({ ...row, ...now })),
  };
}

/** Times and JSON are compared by value: saving an equal value changes nothing. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && typeof other === 'object' && isDeepStrictEqual(one, other));

/**
 * Writes rows of several tables in one statement; foreign keys are checked at its end, so their order does not
 * matter. No hook runs and no id is generated.
 */
export const insertRows = (em: EntityManager, added: readonly Written[]): Promise<void> =>
  writeRows(em, { added, changed: [] });

/** New rows and changed ones. A row stands in one of them: a statement does not see what another part of it wrote. */
export interface AllWritten {
  added: readonly Written[];
  changed: readonly Written[];
}

/**
 * Writes both in one statement. The rows of a table travel as one JSON value, so the text depends on the columns alone and
 * is planned once.
 */
export async function writeRows(em: EntityManager, { added, changed }: AllWritten): Promise<void> {
  const filled = [
    ...added.map((one) => ({ ...one, textOf: insertText })),
    ...changed.map((one) => ({ ...one, textOf: updateText })),
  ].filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return;
  const parts = filled.map((one, at) => {
    const source = `json_populate_recordset(null::"${one.table}", $${at + 1})`;
    return `part_${at} as (${one.textOf(one, source)})`;
  });
  const values = filled.map(({ rows, columns }) => JSON.stringify(rows.map((row) => wireOf(row, columns))));
  await send(em, `with ${parts.join(', ')} select 1`, values);
}

function insertText({ table, columns }: Written, source: string): string {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name, kind, defaultSql }) =>
    !kind.isNullable && defaultSql !== undefined ? `coalesce("${name}", ${defaultSql})` : `"${name}"`,
  );
  return `insert into "${table}" (${names}) select ${values.join(', ')} from ${source}`;
}

function updateText({ table, columns }: Written, source: string): string {
  const key = columns.find(({ isPrimary }) => isPrimary)?.name ?? '';
  const set = columns.filter(({ isPrimary }) => !isPrimary).map(({ name }) => `"${name}" = v."${name}"`);
  return `update "${table}" t set ${set.join(', ')} from ${source} v where t."${key}" = v."${key}"`;
}

function wireOf(row: Values, columns: readonly Column[]): Values {
  const wire: Record<string, unknown> = {};
  for (const { key, name, kind } of columns) {
    const value = row[key];
    // JSON within JSON is encoded only once.
    const isPlain = value === null || value === undefined || kind.types.includes('jsonb');
    wire[name] = isPlain || !kind.write ? value : kind.write(value);
  }
  return wire;
}
