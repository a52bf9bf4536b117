import { z } from 'zod';
import { quickObject, type Spelling } from './quick-parse.ts';
import { spellingsOf } from './read-json.ts';

/**
 * An object of a request: every key may be written in snake_case or camelCase (platform facts 4.2).
 *
 * What comes out has the keys as the shape writes them. Null counts as absent unless the key's schema takes null. An empty
 * list is an empty object.
 * Refused with 400: a key the shape does not name; text, a number or a flag in an object's place, as newer versions of the
 * platform have it (platform facts 14).
 */
export const payload = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(asObject, quickObject(z.strictObject(shape), 'refused', spellingOf(shape, 'kept')));

/** As `payload`, for documents that grow by version: unknown keys are dropped (platform facts 13). */
export const growing = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(asObject, quickObject(z.object(shape), 'dropped', spellingOf(shape, 'dropped')));

/** What stands for an object. What is no object passes, and is refused by the object's schema. */
function asObject(input: unknown): unknown {
  if (input === null) return undefined;
  // PHP writes an object without keys so.
  return Array.isArray(input) && input.length === 0 ? {} : input;
}

/** How the keys of a shape may be written. It is worked out once per schema. */
function spellingOf(shape: z.core.$ZodShape, unknownKeys: 'kept' | 'dropped'): Spelling {
  const meant = new Map<string, { name: string; wins: boolean }>();
  const takesNull = new Set<string>();
  for (const [name, schema] of Object.entries(shape)) {
    // The first spelling is the camelCase one, which wins where a caller sends both.
    spellingsOf(name).forEach((spelling, at) => meant.set(spelling, { name, wins: at === 0 }));
    if (z.safeParse(schema, null).success) takesNull.add(name);
  }
  /** In a new object, so that `__proto__` is a key like any other. */
  const spelled = (input: Readonly<Record<string, unknown>>) => {
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
  return { meant, takesNull, spelled };
}
