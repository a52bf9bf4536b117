import { z } from 'zod';
import { isObject, toSnakeCase } from './read-json.ts';

/** The same schema under several names, for documents with dozens of similar fields. */
export const eachOf = <const Name extends string, Schema>(
  names: readonly Name[],
  schema: Schema,
): Record<Name, Schema> =>
  // The names come from the argument, which the compiler cannot derive through `fromEntries`.
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** A list of comments as the platform answers it: with its search criteria (platform facts 3.5). */
export const ofParent = <Item>(id: number, items: Item[]) => ({
  items,
  search_criteria: {
    filter_groups: [{ filters: [{ field: 'parent_id', value: String(id), condition_type: 'eq' }] }],
  },
  total_count: items.length,
});

/** Leaves out keys that a request may contain and no code uses. What has none of them is not copied. */
export function without<Name extends PropertyKey, Given extends { [Key in Name]?: unknown }>(
  input: Given,
  names: readonly Name[],
): Omit<Given, Name> {
  if (!names.some((name) => name in input)) return input;
  const stored = { ...input };
  for (const name of names) delete stored[name];
  return stored;
}

/** Gives every key of a value its wire spelling, so that stored keys are answered as the platform spells them. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnakeCase(key), inSnakeCase(inner)]));
}

/** An object that is only stored: as posted, with its keys in the spelling of answers. */
export const wireRecord = z
  .record(z.string(), z.unknown())
  .transform((input) =>
    Object.fromEntries(Object.entries(input).map(([key, value]) => [toSnakeCase(key), inSnakeCase(value)])),
  );

/**
 * A list in a query. A single value without brackets, as many clients send it, is a list of one (platform facts 14).
 */
export const oneOrMore = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((input) => (typeof input === 'string' ? [input] : input), z.array(item).max(most));

/**
 * A list of objects in a body. An object of them is read as their list: PHP writes a list with keys so, such as lines
 * by their ids (platform facts 14).
 */
export const rowsOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((input: unknown) => (isObject(input) ? Object.values(input) : input), z.array(item).max(most));
