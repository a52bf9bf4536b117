import { z } from 'zod';
import { spellingsOf } from './spelling.ts';

/**
 * An object of a request: every key may be written in snake_case or camelCase (platform facts 4.2).
 *
 * The result has the shape's own spelling. Null counts as absent unless the key's schema takes null. Text, a number
 * or a flag in place of an object counts as an empty object, as on the platform. Refused with 400: an unknown key.
 */
export const payload = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(spelledAs(shape, 'kept'), z.strictObject(shape));

/** As `payload`, for documents that grow by version: unknown keys are dropped (platform facts 13). */
export const growing = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(spelledAs(shape, 'dropped'), z.object(shape));

/**
 * Gives keys the shape's spelling, in a new object, so that `__proto__` is a key like any other.
 *
 * The spellings are computed once per schema. A list passes unchanged, and the object's schema refuses it.
 */
function spelledAs(shape: z.core.$ZodShape, unknownKeys: 'kept' | 'dropped') {
  const meant = new Map<string, { name: string; wins: boolean }>();
  const takesNull = new Set<string>();
  for (const [name, schema] of Object.entries(shape)) {
    // The first spelling is the camelCase one, which wins where a caller sends both.
    spellingsOf(name).forEach((spelling, at) => meant.set(spelling, { name, wins: at === 0 }));
    if (z.safeParse(schema, null).success) takesNull.add(name);
  }
  return (given: unknown) => {
    if (given === null || given === undefined) return undefined;
    if (Array.isArray(given)) return given;
    if (typeof given !== 'object') return {};
    const spelled: Record<string, unknown> = Object.create(null);
    for (const [key, value] of Object.entries(given)) {
      const known = meant.get(key);
      if (!known) {
        if (unknownKeys === 'kept') spelled[key] = value;
      } else if (value !== null || takesNull.has(known.name)) {
        if (known.wins || !Object.hasOwn(spelled, known.name)) spelled[known.name] = value;
      }
    }
    return spelled;
  };
}
