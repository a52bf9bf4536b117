import { formatAmount, money, type Amount } from '../../domain/money/amount.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../domain/money/quantity.ts';

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

export const integer: Kind<number> = { ...plain('integer', 'smallint'), sentTo: ['bigint', 'double precision'] };
export const float = plain<number>('double precision');
export const text = plain<string>('text', 'character varying', 'character', 'uuid', 'citext');
export const flag = plain<boolean>('boolean');
/** A file, such as a picture. */
export const bytes: Kind<Buffer> = plain('bytea');
/** A calendar day, `YYYY-MM-DD`. */
export const day = plain<string>('date');
/** A decimal finer than money, such as a rate: text, so that no digit is lost. */
export const decimal = plain<string>('numeric');
/** A key beyond the safe integers: text. */
export const bigText = plain<string>('bigint');
export const integers = plain<readonly number[]>('integer[]');
export const texts = plain<readonly string[]>('text[]', 'character varying[]');

/** A list already written as PostgreSQL reads it, `{a,b}`: for many rows that is faster than the driver. */
export const listText = (type: `${string}[]`) => plain<string>(type);

/** A count: every real number of rows is a safe integer. */
export const count: Kind<number> = { ...plain('bigint'), read: Number };

export const amount: Kind<Amount> = {
  ...plain('numeric'),
  read: (wire) => money(String(wire)),
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

/** Not null here, though the column permits it: the statement's own condition ensures it. */
export const surely = <Value>(kind: Kind<Value>): Kind<Value> => ({ ...kind, isVouched: true });

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
