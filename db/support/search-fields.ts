import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import { columnsOf } from './entity-columns.ts';
import type { SearchField, SearchType } from './search-field.ts';

/**
 * Makes fields of one type, each under its column's own name, for an entity's table under an alias. A computed
 * column, which the entity does not have, may be null.
 */
export const fieldsOfTable = (alias: string, entity: EntitySchemaWithMeta) => {
  const nullable = new Map(columnsOf(entity).map(({ name, kind }) => [name, kind.isNullable]));
  return (type: SearchType, columns: readonly string[]): [string, SearchField][] =>
    columns.map((column) => [column, { column: `${alias}.${column}`, type, isNullable: nullable.get(column) ?? true }]);
};
