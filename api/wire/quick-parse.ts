import { z } from 'zod';
import { emptyRecord } from '../../domain/empty-record.ts';
import { isObject } from './read-json.ts';

/**
 * Shorter ways through zod for the schemas that a large order runs thousands of times. Each gives what zod's own way
 * gives, with the same issues in the same order.
 *
 * It replaces private parts of zod, and stays for its figure: an order of ten lines is read in 100 µs of processor
 * instead of 290 (2026-11-27, a busy machine, in turn), and the whole route takes some 3.3 ms. Without it that is 6 %
 * more.
 */

type Run = z.core.$ZodType['_zod']['run'];
type Payload = Parameters<Run>[0];

/** How the keys of an object may be written. */
export interface Spelling {
  /**
   * What a key means; undefined for one that the object does not have. `wins` where another way to write it is sent
   * too.
   */
  meant: ReadonlyMap<string, { name: string; wins: boolean }>;
  /** Those for which null is a value. It means absent for all others. */
  takesNull: ReadonlySet<string>;
  /** The object with its keys as the schema names them. */
  spelled: (input: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/**
 * Lets an object schema run only the keys that were sent, whichever way they are written. zod's own parser runs every
 * key of the shape, and an order's line has over a hundred that nobody sends. Keys that nothing may replace when absent
 * are still run.
 */
export function quickObject<Schema extends z.ZodObject>(
  schema: Schema,
  unknownKeys: 'refused' | 'dropped',
  spelling: Spelling,
): Schema {
  const slow = schema._zod.run.bind(schema._zod);
  const read = readerOf(schema, spelling);
  const names = Object.keys(schema.shape);
  return replaceRun(schema, (payload, context) => {
    const posted = payload.value;
    if (context.direction === 'backward' || !isObject(posted)) return slow(payload, context);
    const found = context.async === false ? read(posted, context) : undefined;
    payload.value = found?.values ?? spelling.spelled(posted);
    if (!found) return slow(payload, context);
    if (found.wrong.size > 0) for (const name of names) noteIssues(payload, found.wrong.get(name) ?? [], name);
    if (unknownKeys === 'refused' && found.unknown.length > 0) {
      const input = spelling.spelled(posted);
      payload.issues.push({ code: 'unrecognized_keys', keys: found.unknown, input, inst: schema, continue: true });
    }
    return payload;
  });
}

type Context = Parameters<Run>[1];
type Issues = Payload['issues'];

interface Found {
  values: Record<string, unknown>;
  wrong: Map<string, Issues>;
  unknown: string[];
}

/** Reads what was sent; undefined where a part of it must be waited for. */
function readerOf({ shape }: z.ZodObject, { meant, takesNull }: Spelling) {
  const parts = new Map(Object.entries<z.core.$ZodType>(shape));
  const always = [...parts].filter(([, { _zod }]) => _zod.optin !== 'optional' || _zod.optout !== 'optional');

  return (input: Readonly<Record<string, unknown>>, context: Context): Found | undefined => {
    const keys = Object.keys(input);
    const found: Found = { values: emptyRecord(keys.length), wrong: new Map(), unknown: [] };
    const { values } = found;
    // Nearly all values are right, so that one list serves them all.
    let issues: Issues = [];
    const run = (part: z.core.$ZodType, value: unknown) => {
      const done = part._zod.run({ value, issues }, context);
      if (issues.length > 0) issues = [];
      return done instanceof Promise ? undefined : done;
    };
    for (const key of keys) {
      const known = meant.get(key);
      const part = known && parts.get(known.name);
      if (!part) {
        found.unknown.push(key);
        continue;
      }
      const value = input[key];
      if (value === null && !takesNull.has(known.name)) continue;
      if (!known.wins && Object.hasOwn(values, known.name)) continue;
      const done = run(part, value);
      if (!done) return undefined;
      note(found, known.name, done);
      values[known.name] = done.value;
    }
    for (const [name, part] of always) {
      if (Object.hasOwn(values, name)) continue;
      const done = run(part, undefined);
      if (!done) return undefined;
      note(found, name, done);
      if (done.value !== undefined) values[name] = done.value;
    }
    return found;
  };
}

/** The other way to write the key may have been read before, and does not count. */
function note({ wrong }: Found, name: string, { issues }: Payload): void {
  if (issues.length > 0) wrong.set(name, issues);
  else if (wrong.size > 0) wrong.delete(name);
}

function noteIssues(payload: Payload, issues: Issues, key: string): void {
  for (const issue of issues) payload.issues.push({ ...issue, path: [key, ...(issue.path ?? [])] });
}

/** Lets a schema of one value run a single function instead of a codec's five. */
function quickValue<Schema extends z.core.$ZodType>(
  schema: Schema,
  decode: (input: unknown, context: { issues: z.core.$ZodRawIssue[] }) => unknown,
): Schema {
  const slow = schema._zod.run.bind(schema._zod);
  return replaceRun(schema, (payload, context) => {
    if (context.direction === 'backward') return slow(payload, context);
    payload.value = decode(payload.value, payload);
    return payload;
  });
}

function replaceRun<Schema extends z.core.$ZodType>(schema: Schema, run: Run): Schema {
  // zod keeps both: `run` is `parse` with the schema's checks, and these schemas have none.
  Object.assign(schema._zod, { run, parse: run });
  return schema;
}

/** How one kind of value is read from a request and written to an answer. */
interface Scalar<Value, Wire> {
  /** The platform's name of the type, for the message. */
  type: 'int' | 'float' | 'bool' | 'string' | 'date';
  /** Undefined: an invalid value. Never called with null or undefined. */
  read: (input: unknown) => Value | undefined;
  write: (value: Value) => Wire;
  /** Why a value that was read is refused all the same, for the message; undefined: it is not. */
  refuses?: (value: Value) => Record<string, unknown> | undefined;
  /** How the API page describes it. */
  json: Record<string, unknown>;
}

/** A codec from any value; an invalid value becomes an issue that names the platform's type. */
export function scalar<Value, Wire>({ type, read, write, json, refuses }: Scalar<Value, Wire>) {
  const decode = (input: unknown, context: { issues: z.core.$ZodRawIssue[] }) => {
    const value = input === undefined || input === null ? undefined : read(input);
    const params = value === undefined ? { type } : refuses?.(value);
    if (value !== undefined && params === undefined) return value;
    context.issues.push({ code: 'custom', input: input, params });
    return z.NEVER;
  };
  return quickValue(z.codec(z.custom<Wire>(), z.custom<Value>(), { decode, encode: write }).meta(json), decode);
}

/** For values with the same form inside and outside. */
export const same = <Value>(value: Value) => value;
