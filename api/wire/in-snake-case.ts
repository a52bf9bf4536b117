import { toSnakeCase } from './spelling.ts';

/** Gives every key of a value its wire spelling, so that stored keys are answered as the platform spells them. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnakeCase(key), inSnakeCase(inner)]));
}
