import { isStorableText } from '../../domain/storable-text.ts';

/** As deep as a whole body may be. */
const maxDepth = 32;

/**
 * Whether PostgreSQL can store a value as JSON without changing it: not too deep, no NUL character or half of a
 * surrogate pair, no infinite number. It does not recurse, so deep nesting is safe.
 */
export function isStorableJson(value: unknown): boolean {
  if (!isNested(value)) return isStorableScalar(value);
  let level: Nested[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    const next: Nested[] = [];
    for (const one of level) if (!isStorableOutside(one, next)) return false;
    level = next;
  }
  return true;
}

/** The keys and plain values of one object or list; nested values are checked later. */
function isStorableOutside(one: Nested, nested: Nested[]): boolean {
  if (Array.isArray(one)) return one.every((inner) => (isNested(inner) ? nested.push(inner) : isStorableScalar(inner)));
  // Parsed JSON inherits no enumerable keys; a list of the keys would cost more than the check.
  for (const key in one) {
    const inner = one[key];
    if (!isStorableText(key)) return false;
    if (isNested(inner)) nested.push(inner);
    else if (!isStorableScalar(inner)) return false;
  }
  return true;
}

/** An object or a list. */
type Nested = Readonly<Record<string, unknown>>;

const isNested = (value: unknown): value is Nested => typeof value === 'object' && value !== null;

const isStorableScalar = (value: unknown) =>
  typeof value === 'string' ? isStorableText(value) : typeof value !== 'number' || Number.isFinite(value);
