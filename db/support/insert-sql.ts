import { JsonType, type EntityMetadata, type EntitySchema } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AmountType, QuantityType } from './amount-type.ts';
import { formatAmount, type Amount } from '../../domain/money/amount.ts';
import { formatQuantity, type Quantity } from '../../domain/money/quantity.ts';

/** Values by the property names of the entity; an absent value gets the column's default. */
export type NewRow = Readonly<Record<string, unknown>>;

interface Column {
  name: string;
  kind: 'amount' | 'quantity' | 'json' | 'plain';
}

/**
 * One `insert` for any number of rows of an entity, without the unit of work, for frequent writes.
 *
 * No entity is hydrated and no hook runs, so the values must contain the ids that the caller needs. Throws on an
 * unknown property.
 */
export function insertSql(em: EntityManager, entity: EntitySchema, rows: readonly NewRow[]): string {
  const meta = em.getMetadata().get(entity);
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = keys.map((key) => columnOf(meta, key));
  const values = rows.map(
    (row) => `(${columns.map((column, at) => literal(em, column, row[keys[at] ?? ''])).join(',')})`,
  );
  return `insert into "${meta.tableName}" (${columns.map(({ name }) => `"${name}"`).join(',')}) values ${values.join(',')}`;
}

const known = new Map<string, Column>();

function columnOf(meta: EntityMetadata, key: string): Column {
  const id = `${meta.className}.${key}`;
  const found = known.get(id);
  if (found) return found;
  const property = Object.entries(meta.properties).find(([name]) => name === key)?.[1];
  const name = property?.fieldNames[0];
  if (!property || name === undefined) throw new Error(`${meta.className} has no property ${key}`);
  const column: Column = { name, kind: kindOf(property.customType) };
  known.set(id, column);
  return column;
}

function kindOf(type: unknown): Column['kind'] {
  if (type instanceof AmountType) return 'amount';
  if (type instanceof QuantityType) return 'quantity';
  return type instanceof JsonType ? 'json' : 'plain';
}

function literal(em: EntityManager, { kind }: Column, value: unknown): string {
  if (value === undefined) return 'default';
  if (value === null) return 'null';
  if (kind === 'amount' && isUnits(value)) return formatAmount(value);
  if (kind === 'quantity' && isUnits(value)) return formatQuantity(value);
  return String(em.getPlatform().quoteValue(kind === 'json' ? JSON.stringify(value) : value));
}

const isUnits = (value: unknown): value is Amount & Quantity => typeof value === 'number';
