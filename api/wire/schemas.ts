import { z } from 'zod';
import {
  amount,
  toWire,
  quantity as toQuantity,
  quantityToWire,
  type Amount,
  type Quantity,
} from '../../domain/money.ts';
import {
  documented,
  plainText,
  maxInteger,
  readId,
  readInteger,
  readWholeNumber,
  readRounded,
  readRoundedUnits,
  readUnits,
  searchCriteriaEcho,
  readStockDate,
  toStockDate,
} from './criteria.ts';
import { isObject, readJson, spellingsOf } from './read-json.ts';
import { same, scalar } from './scalar.ts';

/**
 * An object of a request: every key may be written in snake_case or camelCase (platform facts 4.2).
 *
 * What comes out has the keys as the shape writes them. Null counts as absent unless the key's schema takes null. An
 * empty list is an empty object.
 * Refused with 400: a key the shape does not name; text, a number or a flag in an object's place, as newer versions of
 * the platform have it (platform facts 14).
 */
export const payload = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(namedAs(shape, 'kept'), z.strictObject(shape));

/** As `payload`, for documents that grow by version: unknown keys are dropped (platform facts 13). */
export const growing = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(namedAs(shape, 'dropped'), z.object(shape));

/**
 * Returns a function that gives an object its keys as the shape writes them. Any other value is returned unchanged, and
 * the object's schema refuses it.
 */
function namedAs(shape: z.core.$ZodShape, unknownKeys: 'kept' | 'dropped') {
  const meant = new Map<string, { name: string; wins: boolean }>();
  const takesNull = new Set<string>();
  for (const [name, schema] of Object.entries(shape)) {
    // The first spelling is the camelCase one, which wins where a caller sends both.
    spellingsOf(name).forEach((spelling, at) => meant.set(spelling, { name, wins: at === 0 }));
    if (z.safeParse(schema, null).success) takesNull.add(name);
  }
  return (input: unknown): unknown => {
    if (input === null) return undefined;
    // PHP writes an object without keys as an empty list.
    if (Array.isArray(input) && input.length === 0) return {};
    if (!isObject(input)) return input;
    // Without a prototype, `__proto__` is a key like any other.
    const named: Record<string, unknown> = Object.create(null);
    for (const [key, value] of Object.entries(input)) {
      const known = meant.get(key);
      if (!known) {
        if (unknownKeys === 'kept') named[key] = value;
      } else if (value !== null || takesNull.has(known.name)) {
        if (known.wins || !Object.hasOwn(named, known.name)) named[known.name] = value;
      }
    }
    return named;
  };
}

/**
 * The value types of requests and answers. They read as the platform does (platform facts 4.2): numbers may be
 * numeric strings, flags any text. Other values are refused with 400 in the platform's words by `refusalOf`.
 */

/** The range of a numeric(14,4) column. */
const maxQuantityUnits = 99_999_999_999_999;

/** A whole number of the database's `integer` range, or its text; fractions are refused. */
export const integer = scalar<number, number>({
  type: 'int',
  read: readInteger,
  write: same,
  json: { type: 'integer' },
});

/** The id of a record in a body or a query, up to 2^53 - 1: ids are `bigint` in PostgreSQL. */
export const recordId = scalar<number, number>({
  type: 'int',
  read: readWholeNumber,
  write: same,
  json: { type: 'integer', format: 'int64' },
});

/** A whole number from `minValue` to `maxValue`. */
export const integerBetween = (minValue: number, maxValue: number) =>
  (maxValue > maxInteger ? recordId : integer).pipe(
    z
      .number()
      .check(({ value, issues }) => {
        if (value >= minValue && value <= maxValue) return;
        issues.push({ code: 'custom', input: value, params: { minValue, maxValue } });
      })
      .meta({ type: 'integer', minimum: minValue, maximum: maxValue }),
  );

/**
 * A record's id in a path. Zero and negative numbers pass and find nothing; an id beyond any column becomes the
 * largest one, which does not exist.
 */
export const idParam = scalar<number, number>({
  type: 'int',
  read: readId,
  write: same,
  json: { type: 'integer', format: 'int64' },
});

/** A number or numeric text with at most four decimals, as an `Amount`. */
export const money = scalar<Amount, number>({
  type: 'float',
  read: (input) => whenDefined(readUnits(input), amount),
  write: toWire,
  json: { type: 'number' },
});

/** As `money`, with further decimals rounded to four, half away from zero: for figures that a register computed. */
export const storedMoney = scalar<Amount, number>({
  type: 'float',
  read: (input) => whenDefined(readRoundedUnits(input), amount),
  write: toWire,
  json: { type: 'number' },
});

/** A quantity with at most four decimals. */
export const quantity = scalar<Quantity, number>({
  type: 'float',
  read: (input) =>
    whenDefined(readUnits(input), (units) => (Math.abs(units) > maxQuantityUnits ? undefined : toQuantity(units))),
  write: quantityToWire,
  json: { type: 'number' },
});

/** A quantity within bounds; a refusal shows the value sent, not its internal count. */
export const quantityThat = (fits: (qty: Quantity) => boolean) =>
  quantity.superRefine((qty, context) => {
    if (!fits(qty)) context.addIssue({ code: 'custom', input: quantityToWire(qty) });
  });

/** A percentage as decimal text with at most four decimals, as its column keeps it; further ones are rounded. */
export const percent = scalar<string, number>({
  type: 'float',
  read: (input) => whenDefined(readRounded(input, 4), (text) => (Math.abs(Number(text)) < 1_000 ? text : undefined)),
  write: Number,
  json: { type: 'number' },
});

/** A currency rate as decimal text with at most twelve decimals; further ones are rounded. */
export const rate = scalar<string, number>({
  type: 'float',
  read: (input) => whenDefined(readRounded(input, 12), (text) => (Math.abs(Number(text)) < 1e12 ? text : undefined)),
  write: Number,
  json: { type: 'number' },
});

/**
 * The platform's flag: true, 1, `"1"`, `"true"`, `"on"`, `"yes"`; other text and numbers are false, nested values are
 * refused.
 */
export const flag = scalar<boolean, boolean>({
  type: 'bool',
  read: (input) => whenDefined(plainText(input), (text) => /^\s*(1|true|on|yes)\s*$/i.test(text)),
  write: same,
  json: { type: 'boolean' },
});

/** Text with at most this many characters; numbers and flags become text, as on the platform. */
export const text = (max: number) =>
  scalar<string, string>({
    type: 'string',
    read: plainText,
    refuses: ({ length }) => (length <= max ? undefined : { maxLength: max }),
    write: same,
    json: { type: 'string', maxLength: max },
  });

const control = /\p{Cc}/u;

/** A currency by its three letters (ISO 4217), in any case: only such a code can be written out as money. */
export const currencyCode = text(3).refine((code) => /^[A-Za-z]{3}$/.test(code));

/**
 * A name that people and devices give a payment, a refund or a sale: without leading and trailing white space, which
 * padded fields and scanners add. Case and inner blanks count. Refused with 400: control characters within it.
 */
export const reference = (max: number) =>
  scalar<string, string>({
    type: 'string',
    read: (input) =>
      whenDefined(plainText(input), (read) => {
        const trimmed = read.trim();
        return control.test(trimmed) ? undefined : trimmed;
      }),
    refuses: ({ length }) => (length <= max ? undefined : { maxLength: max }),
    write: same,
    json: { type: 'string', maxLength: max },
  });

/** The number of a document that a caller gives: it is shown in mails, on receipts and on pages of other programs. */
export const documentNumber = text(50).refine((number) => writtenAsNumber.test(number));

/** As `documentNumber`, of a document that is saved as a whole: empty text is none. */
export const savedNumber = text(50)
  .refine((number) => number === '' || writtenAsNumber.test(number))
  .transform((number) => number || undefined)
  .optional();

const writtenAsNumber = /^#?[\p{L}\p{N}](?:[\p{L}\p{N} ._:/+-]{0,48}[\p{L}\p{N}])?$/u;

/** A moment as the platform writes it, `YYYY-MM-DD HH:MM:SS` in UTC; ISO 8601 is read too. */
export const stockDate = scalar<Date, string>({
  type: 'date',
  read: readStockDate,
  write: toStockDate,
  json: { type: 'string', examples: ['2026-11-21 09:30:00'] },
});

/** A moment in ISO 8601, with its offset. */
export const isoDate = scalar<Date, string>({
  type: 'date',
  read: readStockDate,
  write: (date) => date.toISOString(),
  json: { type: 'string', format: 'date-time' },
});

/** A value that arrives as JSON text inside the JSON, such as the rows of a return (spec 4.8). */
export const jsonText = <Inner extends z.ZodType>(inner: Inner) =>
  z
    .codec(z.string(), z.custom<z.output<Inner>>(), {
      decode(input, context) {
        const parsed = inner.safeParse(readInner(input), { reportInput: true });
        if (parsed.success) return parsed.data;
        for (const inner of parsed.error.issues)
          context.issues.push({ code: 'custom', input: inner.input, path: inner.path, params: { inner } });
        return z.NEVER;
      },
      encode: (value) => JSON.stringify(value),
    })
    .meta({ contentMediaType: 'application/json', contentSchema: documented(inner) });

/** The platform's answer where there is nothing to return. */
export const voidAnswer = z.tuple([]);

/** The envelope of every searchable list (platform facts 3.5). */
export const listAnswer = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), search_criteria: searchCriteriaEcho, total_count: z.int() });

const whenDefined = <In, Out>(value: In | undefined, then: (value: In) => Out | undefined) =>
  value === undefined ? undefined : then(value);

/** Text that is not JSON is returned unchanged, and no schema of rows accepts it. */
export function readInner(input: string): unknown {
  try {
    return readJson(input);
  } catch {
    return input;
  }
}
