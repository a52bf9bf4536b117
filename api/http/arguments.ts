import { z } from 'zod';
import { tooManyItems } from '../../domain/refusals/platform.ts';
import { isObject, spellingsOf } from '../wire/read-json.ts';
import { refusalOf } from '../wire/refusal-of.ts';
import type { AnyRoute } from './route.ts';

type Values = Readonly<Record<string, unknown>>;

/** The sources of a call's arguments, the strongest first (platform facts 4.2). */
export interface Sources {
  path: Values;
  query: Values;
  body: Values;
}

/** What the handler gets; the route's schemas give these their types. */
export interface Arguments {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Reads a route's arguments by name from path, query and body; made once per route.
 *
 * Null counts as absent, unknown keys are ignored. Refused with 400, in the platform's words.
 */
export function createArgumentReader({ params, query, body }: AnyRoute): (from: Sources) => Arguments {
  const readParams = partReader(params);
  const readQuery = partReader(query);
  const readBody = partReader(body);
  return (from) => ({ params: readParams(from), query: readQuery(from), body: readBody(from) });
}

function partReader(schema: z.ZodType | undefined): (from: Sources) => unknown {
  if (!schema) return () => undefined;
  const shape = shapeOf(schema);
  const names = shape && Object.keys(shape).map((name) => ({ name, spellings: spellingsOf(name) }));
  const refuseLongLists = longListRefusal(schema);
  return (from) => {
    const input = names ? pick(names, from) : { ...from.body, ...from.query, ...from.path };
    refuseLongLists(input);
    const parsed = schema.safeParse(input, { reportInput: true });
    if (parsed.success) return parsed.data;
    throw refusalOf(parsed.error.issues, input);
  };
}

/**
 * A list of so many is gone through, whatever the route takes, so that a fault is told in the route's own words. Of a
 * longer one each wrong entry would be a fault of its own, and hold up everybody.
 */
const alwaysRead = 20_000;
/** No schema reads further down. */
const deepest = 50;

/**
 * Refused with 400: a list, or an object in place of one, that is longer than any list of the schema. The schema would
 * go through every entry before it looks at their number. One without a list looks at no entry.
 */
export function longListRefusal(schema: z.ZodType): (value: unknown) => void {
  const most = once(() => mostEntriesOf(schema));
  return (value) => void areShort(value, most);
}

/** False where no list is too long: the rest is not gone through. */
function areShort(value: unknown, most: () => number, name = '', depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > deepest) return true;
  const isList = Array.isArray(value);
  const keys = isList ? value : Object.keys(value);
  if (keys.length > alwaysRead) {
    if (keys.length > most()) throw tooManyItems({ type: name, max: most() });
    if (most() === Infinity) return false;
  }
  for (const key of keys) {
    const goesOn = isList
      ? areShort(key, most, name, depth + 1)
      : areShort(Reflect.get(value, key), most, key, depth + 1);
    if (!goesOn) return false;
  }
  return true;
}

/** The longest list that a schema takes anywhere. */
function mostEntriesOf(schema: z.ZodType): number {
  const bounds = (json: unknown): number[] => {
    if (typeof json !== 'object' || json === null) return [];
    const own = isObject(json) && typeof json['maxItems'] === 'number' ? [json['maxItems']] : [];
    return [...own, ...Object.values(json).flatMap(bounds)];
  };
  const written = (['input', 'output'] as const).map((io) => z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  const most = written.flatMap(bounds);
  return most.length === 0 ? Infinity : Math.max(alwaysRead, ...most);
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The keys of an object schema, also where it is wrapped. */
function shapeOf(schema: unknown): Values | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return shapeOf(schema.unwrap());
  return undefined;
}

function pick(names: readonly { name: string; spellings: readonly string[] }[], from: Sources): Values {
  const picked: Record<string, unknown> = {};
  for (const { name, spellings } of names) {
    const value =
      sentValue(spellings, from.path) ?? sentValue(spellings, from.query) ?? sentValue(spellings, from.body);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function sentValue(spellings: readonly string[], values: Values): unknown {
  for (const spelling of spellings) {
    if (Object.hasOwn(values, spelling)) {
      const value = values[spelling];
      if (value !== null) return value;
    }
  }
  return undefined;
}
