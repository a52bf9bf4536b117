import type { Middleware } from 'koa';
import qs from 'qs';
import { invalid } from '../../../domain/errors.ts';
import { requestNotProcessable } from '../../../domain/refusals/platform.ts';

/** Reads the query. Refused with 400: too deep, too many, or a NUL character. */
export const query = (): Middleware => (ctx, next) => {
  ctx.state.query = parseQuery(ctx.state.queryString);
  return next();
};

/** The most parameters; more than any documented search of the platform. An index is only a name and has no limit. */
const mostParameters = 400;

/** Enough for every documented search of the platform, and small enough to be harmless. */
const limits = {
  depth: 6,
  strictDepth: true,
  parameterLimit: mostParameters,
  arrayLimit: mostParameters,
  throwOnLimitExceeded: true,
  allowPrototypes: false,
  plainObjects: true,
  // As on the platform: of a key sent twice the last one counts (platform facts 14).
  duplicates: 'last',
} as const;

const none: Readonly<Record<string, unknown>> = {};

/**
 * Reads bracketed queries. An object with only numeric keys becomes a list, in the order of appearance (platform
 * facts 3.1).
 *
 * Refused with 400: too deep, too many, or a NUL character.
 */
export function parseQuery(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return none;
  if (/%00/.test(text)) throw requestNotProcessable();
  try {
    const parsed = qs.parse(withMarkedIndexes(text), limits);
    return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, withLists(value)]));
  } catch {
    throw invalid('The query has too many or too deeply nested parameters.');
  }
}

/** JavaScript sorts numeric keys; marked ones keep their order. */
const mark = '#';

/** A key without an index is a new element: `skus[]=A&skus[]=B` are two. */
function withMarkedIndexes(text: string): string {
  let appended = 0;
  const marked = (key: string) =>
    key
      .replaceAll(/(\[|%5B)(\d+)(?=\]|%5D)/gi, `$1${mark}$2`)
      .replaceAll(/(\[|%5B)(?=\]|%5D)/gi, (open) => `${open}${mark}+${appended++}`);
  return text.replaceAll(/(?<=^|&)[^&=]+/g, marked);
}

function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withLists);
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const);
  const isList = entries.every(([key]) => key.startsWith(mark));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
