import { z } from 'zod';
import { spellingsOf } from './spelling.ts';

/**
 * An object of a request: every key may be written in snake_case or camelCase (platform facts 4.2).
 *
 * What comes out has the keys as the shape writes them. Null counts as absent unless the key's schema takes null.
 * Refused with 400: a key the shape does not name.
 */
export const payload = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(spelledAs(shape, 'kept'), z.strictObject(shape));

/** As `payload`, for documents that grow by version: keys the shape does not name are dropped (platform facts 13). */
export const growing = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.preprocess(spelledAs(shape, 'dropped'), z.object(shape));

/**
 * Gives keys the shape's spelling; a fresh object, so that `__proto__` is a key like any other.
 *
 * The spellings are worked out once per schema. Whatever is no object passes, and is refused by the object's schema.
 */
function spelledAs(shape: z.core.$ZodShape, unknownKeys: 'kept' | 'dropped') {
  const nameOf = new Map<string, string>();
  const takesNull = new Set<string>();
  for (const [name, schema] of Object.entries(shape)) {
    for (const spelling of spellingsOf(name).toReversed()) nameOf.set(spelling, name);
    if (z.safeParse(schema, null).success) takesNull.add(name);
  }
  return (given: unknown) => {
    if (given === null) return undefined;
    if (typeof given !== 'object' || Array.isArray(given)) return given;
    const spelled: Record<string, unknown> = Object.create(null);
    for (const [key, value] of Object.entries(given)) {
      const name = nameOf.get(key);
      if (name === undefined) {
        if (unknownKeys === 'kept') spelled[key] = value;
      } else if (value !== null || takesNull.has(name)) {
        if (key !== name && Object.hasOwn(spelled, name)) continue;
        spelled[name] = value;
      }
    }
    return spelled;
  };
}
