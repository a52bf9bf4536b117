import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import { columnsOf, readOne, type Column, type RowOf } from './entity-columns.ts';

/**
 * Makes fields of one type, each under its column's own name, for an entity's table under an alias. A computed
 * column, which the entity does not have, may be null.
 */
export const fieldsOfTable = (alias: string, entity: EntitySchemaWithMeta) => {
  const nullable = new Map(columnsOf(entity).map(({ name, kind }) => [name, kind.isNullable]));
  return (type: SearchType, columns: readonly string[]): [string, SearchField][] =>
    columns.map((column) => [column, { column: `${alias}.${column}`, type, isNullable: nullable.get(column) ?? true }]);
};

type Property<Entity extends EntitySchemaWithMeta> = keyof RowOf<Entity> & string;
type Fields = Record<string, SearchField>;

/** Every column of an entity can be searched by its own name, but what it hides, and those left out. */
export const searchFieldsOf = <Entity extends EntitySchemaWithMeta>(
  entity: Entity,
  { without = [] }: { without?: readonly Property<Entity>[] } = {},
): Fields =>
  Object.fromEntries(
    columnsOf(entity)
      .filter(({ key }) => !isHidden(entity, key) && !without.some((one) => one === key))
      .map((column) => [column.name, fieldOf(column)]),
  );

const isHidden = (entity: EntitySchemaWithMeta, key: string) =>
  Reflect.get<object, string>(entity.meta.properties, key)?.hidden === true;

/** Fields with names of the interface, each for a property of the entity. */
export function fieldsNamed<Entity extends EntitySchemaWithMeta>(
  entity: Entity,
  names: Readonly<Record<string, Property<Entity>>>,
): Fields {
  const columns = new Map(columnsOf(entity).map((column) => [column.key, column]));
  return Object.fromEntries(
    Object.entries(names).map(([name, property]) => {
      const column = columns.get(property);
      if (!column) throw new Error(`There is no ${property} to search by`);
      return [name, fieldOf(column)];
    }),
  );
}

/** By what PostgreSQL calls the type of the column; what it does not name is text. */
const types: Readonly<Record<string, SearchType>> = {
  integer: 'integer',
  bigint: 'integer',
  numeric: 'decimal',
  boolean: 'boolean',
  'timestamp with time zone': 'timestamp',
};

const fieldOf = ({ name, kind, sqlType }: Column): SearchField =>
  sqlType.endsWith('[]')
    ? { column: `${name}::text[]`, type: 'set' }
    : { column: name, type: types[kind.types[0] ?? ''] ?? 'text', isNullable: kind.isNullable };

/**
 * A row of a search in the form that MikroORM gives records: by property, with times as `Date`. What the entity hides is
 * not in it.
 */
export function recordOf<Row extends object>(entity: EntitySchemaWithMeta<string, string, Row>, wire: object): Row {
  const record: Record<string, unknown> = {};
  for (const { key, name, kind } of columnsOf(entity))
    if (!isHidden(entity, key)) record[key] = readOne(name, kind, Reflect.get(wire, name));
  return record as Row;
}

/** How a column is compared. Text is compared in any case of letters, as in the platform's database. */
export type SearchType =
  | 'text'
  /** SKUs: as text, composed or not. */
  | 'sku'
  /**
   * Ids and codes: found as sent, in upper and in lower case, so that a plain index is used; negated, they compare as
   * text.
   */
  | 'code'
  | 'integer'
  | 'decimal'
  | 'timestamp'
  | 'boolean'
  /** An SQL expression of type text[]: `eq` and `in` ask for membership. */
  | 'set';

/** A field that a list can be asked for. */
export interface SearchField {
  /** Trusted SQL: a column or an expression of constants of ours, never of the caller's. */
  column: string;
  type: SearchType;
  /** Nulls sort first, as in the platform's database; an index must have them first to be used for such a sort. */
  isNullable?: boolean;
  /** An attribute without a column: its code, by which an index over all attributes of goods has its values. */
  attribute?: string;
}

/** SQL text with `?` for each parameter. */
export interface SqlPart {
  sql: string;
  parameters: readonly unknown[];
}
