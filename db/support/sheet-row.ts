import { helper, Utils, type EntitySchemaWithMeta } from '@mikro-orm/core';
import { columnsOf, type Column } from './entity-columns.ts';

/** A row as JSON has it, by the names of its columns: numbers are numbers, times are ISO text. */
export type SheetRow = Readonly<Record<string, unknown>>;

/** A record in the form that documents are answered from; only these properties, where they are named. */
export function sheetRowOf(entity: EntitySchemaWithMeta, record: object, keys?: readonly string[]): SheetRow {
  const row: Record<string, unknown> = {};
  for (const column of columnsOf(entity))
    if (!keys || keys.includes(column.key)) row[column.name] = inJson(Reflect.get(record, column.key), column);
  return row;
}

function inJson(value: unknown, { kind }: Column): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString().replace('Z', '+00:00');
  if (kind.types.includes('numeric')) return Number(kind.write ? kind.write(value) : value);
  return Utils.isEntity(value, true) ? helper(value).getPrimaryKey() : value;
}
