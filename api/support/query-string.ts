import qs from 'qs';
import { invalid } from '../../domain/errors.ts';

/** Deep and wide enough for every search the platform documents, and for nothing that could hurt. */
const limits = {
  depth: 6,
  strictDepth: true,
  parameterLimit: 400,
  arrayLimit: 100,
  throwOnLimitExceeded: true,
  allowPrototypes: false,
  plainObjects: true,
} as const;

const none: Readonly<Record<string, unknown>> = {};

/** Reads bracketed queries. Refused with 400: too deep, too many, or a NUL character. */
export function parseQuery(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return none;
  if (/%00/.test(text)) throw invalid('Specified request cannot be processed.');
  try {
    return qs.parse(text, limits);
  } catch {
    throw invalid('The query has too many or too deeply nested parameters.');
  }
}
