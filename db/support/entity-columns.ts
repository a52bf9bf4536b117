import {
  ArrayType,
  BigIntType,
  BlobType,
  BooleanType,
  DateTimeType,
  DateType,
  DecimalType,
  IntegerType,
  JsonType,
  SmallIntType,
  Type,
  UuidType,
  type EntityProperty,
  type EntitySchemaWithMeta,
} from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/sql';
import type { Insertable, Selectable } from 'kysely';
import { AmountType, QuantityType } from './amount-type.ts';
import {
  amount,
  bigText,
  bytes,
  day,
  decimal,
  flag,
  integer,
  json,
  moment,
  orNull,
  quantity,
  text,
  texts,
  type Kind,
} from './kinds.ts';

/** Rows by the property names of an entity's definition; a reference is its id. */
type Table<Entity extends EntitySchemaWithMeta> = Stored<
  InferKyselyTable<Entity, { columnNamingStrategy: 'property' }>
>;
/** The inverse side of a one to one has no column; its remaining type is null. */
type Stored<All> = { [Key in keyof All as [All[Key]] extends [null] ? never : Key]: All[Key] };

/** A row as read. */
export type RowOf<Entity extends EntitySchemaWithMeta> = Selectable<Table<Entity>>;

/** A row as written: properties with a default may be absent. */
export type NewRowOf<Entity extends EntitySchemaWithMeta> = Missing<Insertable<Table<Entity>>>;
type Missing<New> = { [Key in keyof New]: object extends Pick<New, Key> ? New[Key] | undefined : New[Key] };

export interface Column {
  key: string;
  name: string;
  kind: Kind<unknown>;
  /** PostgreSQL's type of the column. */
  sqlType: string;
  isPrimary: boolean;
  /** The SQL default of an absent value. */
  defaultSql: string | undefined;
  /** Set again whenever another column of the row changes. */
  changesWithRow: boolean;
}

const known = new Map<EntitySchemaWithMeta, readonly Column[]>();

/** The columns in an entity's definition, without a database connection. */
export function columnsOf(entity: EntitySchemaWithMeta): readonly Column[] {
  const found = known.get(entity);
  if (found) return found;
  const columns = propertiesOf(entity)
    .filter(([, { kind, persist, mappedBy }]) => kind !== '1:m' && persist !== false && mappedBy === undefined)
    .map(([key, property]) => columnOf(key, property));
  known.set(entity, columns);
  return columns;
}

const propertiesOf = (entity: EntitySchemaWithMeta) => Object.entries<EntityProperty>(entity.meta.properties);

const columnOf = (key: string, property: EntityProperty): Column => ({
  key,
  name: fieldNameOf(property) ?? snakeCase(key),
  kind: property.nullable ? orNull(kindOf(property)) : kindOf(property),
  sqlType: sqlTypeOf(property),
  isPrimary: property.primary === true,
  defaultSql: property.defaultRaw ?? (property.default === undefined ? undefined : `'${String(property.default)}'`),
  changesWithRow: property.onUpdate !== undefined,
});

/** As written in the definition: `fieldNames` are known only after the ORM has started. */
function fieldNameOf(property: object): string | undefined {
  const name: unknown = Reflect.get(property, 'fieldName');
  return typeof name === 'string' ? name : undefined;
}

export const snakeCase = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const kinds = new Map<unknown, Kind<unknown>>([
  [AmountType, amount],
  [QuantityType, quantity],
  [IntegerType, integer],
  [SmallIntType, integer],
  [BigIntType, bigText],
  [BlobType, bytes],
  [DecimalType, decimal],
  [BooleanType, flag],
  [DateTimeType, moment],
  [DateType, day],
  [ArrayType, texts],
  [JsonType, json()],
]);

/** As the definition writes it, else the first that the kind names; a `jsonb` unless it says `json`. */
function sqlTypeOf(property: EntityProperty): string {
  // One before the ORM has started, the other after it.
  const [early, late]: unknown[] = ['columnType', 'columnTypes'].map((name) => Reflect.get(property, name));
  const written: unknown = Array.isArray(late) ? late[0] : early;
  if (typeof written === 'string') return written;
  const given: unknown = property.type;
  if (given === UuidType || given instanceof UuidType) return 'uuid';
  const { types } = kindOf(property);
  return types.includes('jsonb') ? 'jsonb' : (types[0] ?? 'text');
}

/** A reference has the kind of the key it refers to. */
function kindOf({ type, kind, entity }: EntityProperty): Kind<unknown> {
  const given: unknown = type;
  if (kind !== 'm:1' && kind !== '1:1') return kinds.get(given instanceof Type ? given.constructor : given) ?? text;
  const target: unknown = entity();
  const primary = propertiesOf(target as EntitySchemaWithMeta).find(([, property]) => property.primary);
  return primary ? kindOf(primary[1]) : integer;
}
