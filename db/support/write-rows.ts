import { isDeepStrictEqual } from 'node:util';
import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { emptyRecord } from '../../domain/empty-record.ts';
import { isSameList } from '../../domain/is-same-list.ts';
import { columnsOf, type Column, type NewRowOf, type RowOf } from './entity-columns.ts';
import { send } from './send.ts';
import { shopNow } from './shop-clock.ts';

type Values = Readonly<Record<string, unknown>>;

/** Rows of one table, for a statement that writes to several tables. */
export interface Written {
  table: string;
  columns: readonly Column[];
  rows: readonly Values[];
}

/** New rows; an absent value gets the column's default. */
export function into<Entity extends EntitySchemaWithMeta>(entity: Entity, input: readonly NewRowOf<Entity>[]): Written {
  const rows: readonly Values[] = input;
  const sent = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) if (row[key] !== undefined) sent.add(key);
  return { table: entity.meta.tableName, columns: columnsNamed(entity, sent), rows };
}

/** More sets of columns than the code and its clients make; beyond them a text is put together again each time. */
const mostSets = 1_000;
const sets = new Map<string, readonly Column[]>();

/** The last set of each entity, since the next is mostly the same. */
const lastSets = new WeakMap<EntitySchemaWithMeta, { keys: readonly string[]; columns: readonly Column[] }>();

/** Those columns of an entity: the same list each time, so that its text is put together once. */
function columnsNamed(entity: EntitySchemaWithMeta, input: ReadonlySet<string>): readonly Column[] {
  const keys = [...input];
  const last = lastSets.get(entity);
  if (last && isSameList(last.keys, keys)) return last.columns;
  const columns = namedAnew(entity, input);
  lastSets.set(entity, { keys, columns });
  return columns;
}

function namedAnew(entity: EntitySchemaWithMeta, keys: ReadonlySet<string>): readonly Column[] {
  const columns = columnsOf(entity).filter(({ key }) => keys.has(key));
  const name = `${entity.meta.tableName} ${columns.map((column) => column.name).join()}`;
  const known = sets.get(name);
  if (known === undefined && sets.size < mostSets) sets.set(name, columns);
  return known ?? columns;
}

/** The changes of some rows; both lists have the same order. */
export function changesOf<Entity extends EntitySchemaWithMeta>(
  entity: Entity,
  before: readonly RowOf<Entity>[],
  after: readonly RowOf<Entity>[],
): Written {
  const [were, are]: [readonly Values[], readonly Values[]] = [before, after];
  const columns = columnsOf(entity);
  const always = columns.filter(({ isPrimary, changesWithRow }) => isPrimary || changesWithRow);
  const changed = new Set(always.map(({ key }) => key));
  const rows = are.filter((row, at) => {
    const differing = columns.filter(({ key }) => !isSame(row[key], were[at]?.[key]));
    for (const { key } of differing) changed.add(key);
    return differing.length > 0;
  });
  const now = Object.fromEntries(columns.filter((one) => one.changesWithRow).map(({ key }) => [key, shopNow()]));
  return {
    table: entity.meta.tableName,
    columns: columnsNamed(entity, changed),
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
 * Writes both in one statement. The rows of a table travel as one JSON value, so the text depends on the columns alone
 * and is planned once.
 */
export async function writeRows(em: EntityManager, { added, changed }: AllWritten): Promise<void> {
  const filled = [
    ...added.map((one) => ({ ...one, textOf: insertText })),
    ...changed.map((one) => ({ ...one, textOf: updateText })),
  ].filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return;
  const parts = filled.map((one, at) => partText(one, at));
  const values = filled.map(({ rows, columns }) => JSON.stringify(rows.map((row) => wireOf(row, columns))));
  await send(em, textOfAll(parts), values);
}

/** Texts of ten thousand characters each. */
const mostTexts = 100;
/** By their first part, whose text is the same each time: the last statement that began with it. */
const lastTexts = new Map<string, { parts: readonly string[]; text: string }>();

/** The same text each time, so that its name is found without reading its thousands of characters. */
function textOfAll(parts: readonly string[]): string {
  const [first = ''] = parts;
  const last = lastTexts.get(first);
  if (last && isSameList(last.parts, parts)) return last.text;
  const text = `with ${parts.join(', ')} select 1`;
  if (last || lastTexts.size < mostTexts) lastTexts.set(first, { parts, text });
  return text;
}

type TextOf = (written: Written, source: string) => string;
type Part = Written & { textOf: TextOf };

const partTexts = new WeakMap<readonly Column[], Map<TextOf, string[]>>();

/** The part of the statement that writes one table, at its place among the others. */
function partText(part: Part, at: number): string {
  const { columns, textOf } = part;
  const byVerb = partTexts.get(columns) ?? new Map<TextOf, string[]>();
  const places = byVerb.get(textOf) ?? [];
  partTexts.set(columns, byVerb.set(textOf, places));
  return (places[at] ??= `part_${at} as (${textOf(part, sourceOf(columns, at))})`);
}

/** The rows as they travel: only the columns that are written, so that wide tables cost no more than narrow ones. */
const sourceOf = (columns: readonly Column[], at: number) =>
  `json_to_recordset($${at + 1}) as v(${columns.map(({ name, sqlType }) => `"${name}" ${sqlType}`).join(', ')})`;

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
  return `update "${table}" t set ${set.join(', ')} from ${source} where t."${key}" = v."${key}"`;
}

function wireOf(row: Values, columns: readonly Column[]): Values {
  const wire = emptyRecord(columns.length);
  for (const { key, name, kind } of columns) {
    const value = row[key];
    // JSON within JSON is encoded only once.
    const isPlain = value === null || value === undefined || kind.types.includes('jsonb');
    wire[name] = isPlain || !kind.write ? value : kind.write(value);
  }
  return wire;
}
