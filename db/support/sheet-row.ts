import { helper, Utils, type EntitySchemaWithMeta } from '@mikro-orm/core';
import { unitsPerWhole } from '../../domain/money.ts';
import { columnsOf, type Column } from './entity-columns.ts';

/** A row as JSON has it, by the names of its columns: numbers are numbers, times are ISO text. */
export type SheetRow = Readonly<Record<string, unknown>>;

type Reading = (value: unknown) => unknown;
const known = new Map<EntitySchemaWithMeta, readonly { key: string; name: string; read: Reading }[]>();

/** A record in the form that documents are answered from; only these properties, where they are named. */
export function sheetRowOf(entity: EntitySchemaWithMeta, record: object, keys?: readonly string[]): SheetRow {
  const row: Record<string, unknown> = {};
  for (const { key, name, read } of readingsOf(entity)) {
    if (keys && !keys.includes(key)) continue;
    const value: unknown = Reflect.get(record, key);
    row[name] = value === null || value === undefined ? null : read(value);
  }
  return row;
}

function readingsOf(entity: EntitySchemaWithMeta) {
  const found = known.get(entity);
  if (found) return found;
  const readings = columnsOf(entity).map((column) => ({ key: column.key, name: column.name, read: readingOf(column) }));
  known.set(entity, readings);
  return readings;
}

/** Money and quantities are counts of 1/10 000; other decimals are text. */
function readingOf({ kind }: Column): Reading {
  if (kind.types.includes('numeric'))
    return (value) => (typeof value === 'number' ? value / unitsPerWhole : Number(value));
  if (kind.types.includes('timestamp with time zone'))
    return (value) => (value instanceof Date ? value.toISOString().replace('Z', '+00:00') : value);
  return (value) => (Utils.isEntity(value, true) ? helper(value).getPrimaryKey() : value);
}
