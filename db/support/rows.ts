import { helper, Utils, type EntitySchemaWithMeta } from '@mikro-orm/core';
import { columnsOf, type Column, type RowOf, type Kind, type Kinds, type ValuesOf } from './entity-columns.ts';

/** A whole row in the result of a statement; `row.columns` stands for it in the text. */
export interface WholeRow<Row> {
  readonly columns: string;
  readonly parts: readonly (Column & { as: string })[];
  readonly isOptional: boolean;
  /** Only for the compiler. */
  readonly row?: Row;
}

/** Every column of an entity, under the alias that the text gives its table. */
export const rowOf = <Entity extends EntitySchemaWithMeta>(entity: Entity, alias: string): WholeRow<RowOf<Entity>> =>
  rowWith(columnsOf(entity), alias);

/** A row with only these columns, such as one without a secret. */
export const rowPart = <Entity extends EntitySchemaWithMeta, const Key extends keyof RowOf<Entity> & string>(
  entity: Entity,
  alias: string,
  ...keys: readonly Key[]
): WholeRow<Pick<RowOf<Entity>, Key>> => rowWith(columnsNamed(entity, keys), alias);

const columnsNamed = (entity: EntitySchemaWithMeta, keys: readonly string[]): readonly Column[] =>
  columnsOf(entity).filter(({ key }) => keys.includes(key));

function rowWith(columns: readonly Column[], alias: string) {
  const parts = columns.map((column) => ({ ...column, as: `${alias}.${column.key}` }));
  return { columns: parts.map(({ name, as }) => `${alias}."${name}" as "${as}"`).join(', '), parts, isOptional: false };
}

/** A row that an outer join may not find. */
export const perhaps = <Row>({ columns, parts }: WholeRow<Row>): WholeRow<Row | null> => ({
  columns,
  parts,
  isOptional: true,
});

/** Some columns of an entity, with the kinds of its definition, null where the column permits it. */
export function of<Entity extends EntitySchemaWithMeta, const Key extends keyof RowOf<Entity> & string>(
  entity: Entity,
  ...keys: readonly Key[]
): { readonly [Name in Key]: Kind<RowOf<Entity>[Name]> } {
  const picked: Kinds = Object.fromEntries(columnsNamed(entity, keys).map(({ key, kind }) => [key, kind]));
  return picked as { readonly [Name in Key]: Kind<RowOf<Entity>[Name]> };
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type Wire<Value> = Value extends Date | { readonly __brand: string } ? string : Value;
type Listed<Row, Key extends keyof Row & string> = {
  readonly [Name in Key as SnakeCase<Name>]: Kind<Wire<Row[Name]>>;
};

const asWritten = ({ types, isNullable }: Kind<unknown>): Kind<unknown> => ({ types, isNullable });

/**
 * Columns under their own names and as PostgreSQL writes them: decimals and times are text. For records that are
 * shown as stored, in the same form as in a list of `search`.
 */
export function asListed<Entity extends EntitySchemaWithMeta, const Key extends keyof RowOf<Entity> & string>(
  entity: Entity,
  ...keys: readonly Key[]
): Listed<RowOf<Entity>, Key> {
  const picked: Kinds = Object.fromEntries(columnsNamed(entity, keys).map(({ name, kind }) => [name, asWritten(kind)]));
  return picked as Listed<RowOf<Entity>, Key>;
}

/** A record in that form: what `asListed` gives of its row. A relation is its id. */
export function listedOf<Entity extends EntitySchemaWithMeta, const Key extends keyof RowOf<Entity> & string>(
  entity: Entity,
  record: object,
  keys?: readonly Key[],
): ListedRow<Entity, Key> {
  const columns = keys ? columnsNamed(entity, keys) : columnsOf(entity);
  const listed: Record<string, unknown> = {};
  for (const { key, name, kind } of columns) listed[name] = asStored(Reflect.get(record, key), kind);
  return listed as ListedRow<Entity, Key>;
}

/** A row as `asListed` gives it. */
export type ListedRow<
  Entity extends EntitySchemaWithMeta,
  Key extends keyof RowOf<Entity> & string = keyof RowOf<Entity> & string,
> = ValuesOf<Listed<RowOf<Entity>, Key>>;

function asStored(value: unknown, kind: Kind<unknown>): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '+00');
  if (kind.types.includes('numeric') && kind.write) return kind.write(value);
  return Utils.isEntity(value, true) ? helper(value).getPrimaryKey() : value;
}

/** A whole row in that form, with only these columns. */
export function rowListed<Entity extends EntitySchemaWithMeta, const Key extends keyof RowOf<Entity> & string>(
  entity: Entity,
  alias: string,
  ...keys: readonly Key[]
): WholeRow<ValuesOf<Listed<RowOf<Entity>, Key>>> {
  const parts = columnsNamed(entity, keys).map((column) => ({
    ...column,
    key: column.name,
    kind: asWritten(column.kind),
    as: `${alias}.${column.name}`,
  }));
  return { columns: parts.map(({ name, as }) => `${alias}."${name}" as "${as}"`).join(', '), parts, isOptional: false };
}

/** Every column of an entity in that form; `columns` stands for them in the text, under the alias of the table. */
export function allListed<Entity extends EntitySchemaWithMeta>(
  entity: Entity,
  alias: string,
): { columns: string; gives: Listed<RowOf<Entity>, keyof RowOf<Entity> & string> } {
  const keys = columnsOf(entity).map(({ key }) => key) as (keyof RowOf<Entity> & string)[];
  const columns = columnsOf(entity).map(({ name }) => `${alias}.${name}`);
  return { columns: columns.join(', '), gives: asListed(entity, ...keys) };
}
