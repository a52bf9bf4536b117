/**
 * Whether a caller with this `If-None-Match` has the answer with this `ETag` (RFC 9110, 13.1.2). The comparison is
 * weak, and `Cache-Control` does not matter.
 */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((one) => opaque(one.trim()) === opaque(tag));
}

const opaque = (tag: string) => (tag.startsWith('W/') ? tag.slice(2) : tag);
