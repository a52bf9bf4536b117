import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import { columnsOf, type Column, type RowOf } from './entity-columns.ts';
import type { Kind, Kinds } from './kinds.ts';

/** A whole row in what a statement gives; `row.columns` stands for it in the text. */
export interface WholeRow<Row> {
  readonly columns: string;
  readonly parts: readonly (Column & { as: string })[];
  readonly isOptional: boolean;
  /** For the compiler alone. */
  readonly row?: Row;
}

/** Every column of an entity, under the alias that the text gives its table. */
export function rowOf<Entity extends EntitySchemaWithMeta>(entity: Entity, alias: string): WholeRow<RowOf<Entity>> {
  const parts = columnsOf(entity).map((column) => ({ ...column, as: `${alias}.${column.key}` }));
  return { columns: parts.map(({ name, as }) => `${alias}."${name}" as "${as}"`).join(', '), parts, isOptional: false };
}

/** A row that an outer join may leave out. */
export const perhaps = <Row>({ columns, parts }: WholeRow<Row>): WholeRow<Row | null> => ({
  columns,
  parts,
  isOptional: true,
});

/** Some columns of an entity, as its definition has them: money as money, words as words, null where it may be. */
export function of<Entity extends EntitySchemaWithMeta, const Key extends keyof RowOf<Entity> & string>(
  entity: Entity,
  ...keys: readonly Key[]
): { readonly [Name in Key]: Kind<RowOf<Entity>[Name]> } {
  const picked: Kinds = Object.fromEntries(
    columnsOf(entity)
      .filter(({ key }) => keys.some((one) => one === key))
      .map(({ key, kind }) => [key, kind]),
  );
  return picked as { readonly [Name in Key]: Kind<RowOf<Entity>[Name]> };
}
