import { invalid } from '../../domain/errors.ts';
import { isStorableText } from '../wire/read-json.ts';

export interface RestPath {
  /** Undefined for a path without one, which means the default store view. */
  storeCode: string | undefined;
  /** From `V1` on, decoded. */
  segments: string[];
}

const version = /^V\d+$/;

/**
 * Splits the path after `/rest/` (platform facts 4.1). A trailing slash does not matter.
 *
 * Refused with 400: no `V<digits>` at the start or after a store code, or text that cannot be decoded.
 */
export function parseRestPath(path: string): RestPath {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const segments = trimmed.includes('%') ? trimmed.split('/').map(decode) : trimmed.split('/');
  const [first = '', second = ''] = segments;
  if (version.test(first)) return { storeCode: undefined, segments };
  if (version.test(second)) return { storeCode: first, segments: segments.slice(1) };
  throw invalid('Specified request cannot be processed.');
}

function decode(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    if (isStorableText(decoded)) return decoded;
  } catch {
    // Text that is not percent-encoded is refused like the rest.
  }
  throw invalid('Specified request cannot be processed.');
}
