import { z } from 'zod';
import { refusalOf } from '../wire/refusal-of.ts';
import type { AnyRoute } from './route.ts';
import { spellingsOf } from '../wire/spelling.ts';

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
  return (from) => {
    const given = names ? pick(names, from) : { ...from.body, ...from.query, ...from.path };
    const parsed = schema.safeParse(given, { reportInput: true });
    if (parsed.success) return parsed.data;
    throw refusalOf(parsed.error.issues, given);
  };
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
    const value = find(spellings, from.path) ?? find(spellings, from.query) ?? find(spellings, from.body);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function find(spellings: readonly string[], values: Values): unknown {
  for (const spelling of spellings) {
    if (Object.hasOwn(values, spelling)) {
      const value = values[spelling];
      if (value !== null) return value;
    }
  }
  return undefined;
}
