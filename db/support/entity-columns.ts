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
import {
  amount as toAmount,
  formatAmount,
  formatQuantity,
  money,
  parseQuantity,
  quantity as toQuantity,
  type Amount,
  type Quantity,
} from '../../domain/money.ts';

/** numeric(20,4) in the database, `Amount` in code; no float in between. */
export class AmountType extends Type<Amount, string> {
  override convertToDatabaseValue(value: Amount | null | undefined): string {
    return value === null || value === undefined ? (value as unknown as string) : formatAmount(value);
  }
  override convertToJSValue(value: string | null | undefined): Amount {
    return value === null || value === undefined ? (value as unknown as Amount) : amountOf(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  /** The type of the value in code: without it `em.assign` would accept only the stored text. */
  override get runtimeType(): string {
    return 'number';
  }
  override getColumnType(): string {
    return 'numeric(20,4)';
  }
}

/** numeric(14,4) in the database, `Quantity` in code. */
export class QuantityType extends Type<Quantity, string> {
  override convertToDatabaseValue(value: Quantity | null | undefined): string {
    return value === null || value === undefined ? (value as unknown as string) : formatQuantity(value);
  }
  override convertToJSValue(value: string | null | undefined): Quantity {
    return value === null || value === undefined ? (value as unknown as Quantity) : parseStored(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  /** The type of the value in code: without it `em.assign` would accept only the stored text. */
  override get runtimeType(): string {
    return 'number';
  }
  override getColumnType(): string {
    return 'numeric(14,4)';
  }
}

/**
 * PostgreSQL writes columns of money with four decimals: the digits without the point are the count of units. A wide
 * document has thousands of them. Anything else is read as a decimal.
 */
function unitsOf(text: string): number | undefined {
  if (text.at(-5) !== '.') return undefined;
  const units = Number(text.slice(0, -5) + text.slice(-4));
  return Number.isSafeInteger(units) ? units : undefined;
}

function amountOf(text: string): Amount {
  const units = unitsOf(text);
  return units === undefined ? money(text) : toAmount(units);
}

function parseStored(text: string): Quantity {
  const units = unitsOf(text);
  const parsed = units === undefined ? parseQuantity(text) : toQuantity(units);
  if (parsed === undefined) throw new RangeError(`"${text}" is not a quantity`);
  return parsed;
}

/** The kind of a column or parameter: the one place that converts between code and PostgreSQL. */
export interface Kind<Value> {
  /** PostgreSQL's names of the types it can be read from. */
  readonly types: readonly string[];
  /** Further types it may be sent to. */
  readonly sentTo?: readonly string[];
  readonly isNullable: boolean;
  /** The author guarantees that it is not null here, whatever the column permits. */
  readonly isVouched?: boolean;
  /** Converts the driver's value, which is never null; absent: unchanged. */
  read?(wire: unknown): Value;
  /** Converts to the driver's value; absent: unchanged. */
  write?(value: Value): unknown;
}

/** The type in code of a kind. */
export type ValueOf<Of> = Of extends Kind<infer Value> ? Value : never;
export type Kinds = Readonly<Record<string, Kind<unknown>>>;
export type ValuesOf<Of extends Kinds> = { -readonly [Name in keyof Of]: ValueOf<Of[Name]> };

const plain = <Value>(...types: readonly string[]): Kind<Value> => ({ types, isNullable: false });

/** A whole number of 32 or 64 bits; the driver reads both as numbers (`readBigintAsNumber`). */
export const integer: Kind<number> = {
  ...plain('integer', 'smallint', 'bigint'),
  sentTo: ['double precision'],
};
export const float = plain<number>('double precision');
export const text = plain<string>('text', 'character varying', 'character', 'uuid', 'citext');
export const flag = plain<boolean>('boolean');
/** A file, such as a picture. */
export const bytes: Kind<Buffer> = plain('bytea');
/** A calendar day, `YYYY-MM-DD`. */
export const day = plain<string>('date');
/** A decimal finer than money, such as a rate: text, so that no digit is lost. */
export const decimal = plain<string>('numeric');
/** A key that is shown and compared as text. */
export const bigText: Kind<string> = { ...plain('bigint'), read: String };
export const integers = plain<readonly number[]>('integer[]', 'bigint[]');
export const texts = plain<readonly string[]>('text[]', 'character varying[]');

/** A list already written as PostgreSQL reads it, `{a,b}`: for many rows that is faster than the driver. */
export const listText = (type: `${string}[]`) => plain<string>(type);

/** A count: every real number of rows is a safe integer. */
export const count = plain<number>('bigint');

export const amount: Kind<Amount> = {
  ...plain('numeric'),
  read: (wire) => amountOf(String(wire)),
  write: formatAmount,
};

export const quantity: Kind<Quantity> = {
  ...plain('numeric'),
  read: (wire) => quantityOf(String(wire)),
  write: formatQuantity,
};

export const moment: Kind<Date> = {
  ...plain('timestamp with time zone'),
  read: (wire) => new Date(String(wire)),
  write: (value) => value.toISOString(),
};

/** A time as PostgreSQL writes it, to the microsecond, for showing and comparing. */
export const momentText = plain<string>('timestamp with time zone');

/** A JSON value whose form only its writer guarantees, as `p.json<Shape>()` of an entity. */
export const json = <Shape>(): Kind<Shape> => ({ ...plain('json', 'jsonb'), write: JSON.stringify });

/** `json_agg(json_build_object('sku', i.sku, …))`: each object is read by its members. */
export const listOf = <const Members extends Kinds>(members: Members): Kind<ValuesOf<Members>[]> => ({
  ...plain('json', 'jsonb'),
  read: (wire) => (Array.isArray(wire) ? wire.map((item: object) => readMembers(members, item)) : []),
});

/** May be null. */
export const orNull = <Value>(kind: Kind<Value>): Kind<Value | null> => ({ ...kind, isNullable: true });

/** Never null here, as PostgreSQL's plan of the statement proves or its author may assume. */
export const neverNull = <Value>(kind: Kind<Value>): Kind<NonNullable<Value>> =>
  ({ ...kind, isNullable: false }) as Kind<NonNullable<Value>>;

/** Not null here, though the column permits it: the statement's own condition ensures it. */
export const definite = <Value>(kind: Kind<Value>): Kind<Value> => ({ ...kind, isVouched: true });

/** A null where the kind has none is an error in the statement; it is reported here, not where it would do harm. */
export function readOne(name: string, kind: Kind<unknown>, wire: unknown): unknown {
  if (wire !== null && wire !== undefined) return kind.read ? kind.read(wire) : wire;
  if (!kind.isNullable || wire === undefined) throw new Error(`${name} is ${String(wire)}`);
  return null;
}

function readMembers<Members extends Kinds>(members: Members, wire: object): ValuesOf<Members> {
  const item: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(members)) item[name] = readOne(name, kind, Reflect.get(wire, name));
  return item as ValuesOf<Members>;
}

function quantityOf(wire: string): Quantity {
  const parsed = parseQuantity(wire);
  if (parsed === undefined) throw new RangeError(`"${wire}" is not a quantity`);
  return parsed;
}

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
  [BigIntType, { ...integer, types: ['bigint', ...integer.types] }],
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
  const input: unknown = property.type;
  if (input === UuidType || input instanceof UuidType) return 'uuid';
  const { types } = kindOf(property);
  return types.includes('jsonb') ? 'jsonb' : (types[0] ?? 'text');
}

/** A reference has the kind of the key it refers to. */
function kindOf({ type, kind, entity }: EntityProperty): Kind<unknown> {
  const input: unknown = type;
  if (kind !== 'm:1' && kind !== '1:1') return kinds.get(input instanceof Type ? input.constructor : input) ?? text;
  const target: unknown = entity();
  const primary = propertiesOf(target as EntitySchemaWithMeta).find(([, property]) => property.primary);
  return primary ? kindOf(primary[1]) : integer;
}
