import { isStorableText } from './read-json.ts';

/** As deep as a whole body may be. */
const maxDepth = 32;

/**
 * Whether PostgreSQL can keep a value as JSON, as it was meant: not too deep, no NUL character or half of a surrogate
 * pair, no number beyond all numbers. Walks without calling itself, so depth is no danger.
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

/** The keys and plain values of one object or list; what is nested in it is left for later. */
function isStorableOutside(one: Nested, nested: Nested[]): boolean {
  if (Array.isArray(one)) return one.every((inner) => (isNested(inner) ? nested.push(inner) : isStorableScalar(inner)));
  // What JSON brought inherits no keys that a loop would see; a list of them would cost more than the looking.
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
