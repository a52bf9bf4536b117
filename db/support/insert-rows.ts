import { type EntityMetadata, type EntitySchema } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { formatAmount, type Amount } from '../../domain/money/amount.ts';
import { formatQuantity, type Quantity } from '../../domain/money/quantity.ts';
import { AmountType, QuantityType } from './amount-type.ts';
import { query } from './query.ts';

/** Values by the names of the entity's properties; what is missing or undefined takes the column's default. */
export type NewRow = Readonly<Record<string, unknown>>;

/** Rows for one table. */
export interface NewRows {
  entity: EntitySchema;
  rows: readonly NewRow[];
}

interface Column {
  name: string;
  kind: 'amount' | 'quantity' | 'plain';
  /** What is taken from the JSON: a row that lacks what another one has gets the default. */
  source: string;
}

/**
 * Writes rows of several tables in one statement and one round trip, without the unit of work: what a hot write needs.
 *
 * The rows of a table travel as one JSON value, so the statement's text depends on the columns alone and is planned
 * once. Nothing is hydrated and no hook runs, so ids that the caller needs must be among the values. Foreign keys are
 * checked at the end, so the order of the tables does not matter. Throws on a property the entity does not have.
 */
export async function insertRows(em: EntityManager, tables: readonly NewRows[]): Promise<void> {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const parts = filled.map(({ entity, rows }, at) => {
    const meta = em.getMetadata().get(entity);
    const keys = keysOf(rows);
    const columns = keys.map((key) => columnOf(meta, key));
    const names = columns.map(({ name }) => `"${name}"`).join(',');
    const sources = columns.map(({ source }) => source).join(',');
    const given = `json_populate_recordset(null::"${meta.tableName}", $${at + 1})`;
    return {
      text: `part_${at} as (insert into "${meta.tableName}" (${names}) select ${sources} from ${given})`,
      value: JSON.stringify(rows.map((row) => wireRow(row, keys, columns))),
    };
  });
  if (parts.length === 0) return;
  const text = `with ${parts.map((part) => part.text).join(', ')} select 1`;
  await query(
    em,
    text,
    parts.map((part) => part.value),
  );
}

function keysOf(rows: readonly NewRow[]): string[] {
  const keys = new Set<string>();
  for (const row of rows) {
    for (const key in row) if (row[key] !== undefined) keys.add(key);
  }
  return [...keys];
}

function wireRow(row: NewRow, keys: readonly string[], columns: readonly Column[]): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const [at, { name, kind }] of columns.entries()) {
    const value = row[keys[at] ?? ''];
    if (kind === 'amount' && isUnits(value)) wire[name] = formatAmount(value);
    else if (kind === 'quantity' && isUnits(value)) wire[name] = formatQuantity(value);
    else wire[name] = value;
  }
  return wire;
}

const isUnits = (value: unknown): value is Amount & Quantity => typeof value === 'number';

const known = new Map<string, Column>();

function columnOf(meta: EntityMetadata, key: string): Column {
  const id = `${meta.className}.${key}`;
  const found = known.get(id);
  if (found) return found;
  const property = Object.entries(meta.properties).find(([name]) => name === key)?.[1];
  const name = property?.fieldNames[0];
  if (!property || name === undefined) throw new Error(`${meta.className} has no property ${key}`);
  const type: unknown = property.customType;
  const kind = type instanceof AmountType ? 'amount' : type instanceof QuantityType ? 'quantity' : 'plain';
  const hasDefault = !property.nullable && typeof property.defaultRaw === 'string';
  const source = hasDefault ? `coalesce("${name}",${property.defaultRaw})` : `"${name}"`;
  const column: Column = { name, kind, source };
  known.set(id, column);
  return column;
}
