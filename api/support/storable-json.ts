import { isStorableText } from './read-json.ts';

/** As deep as a whole body may be. */
const maxDepth = 32;

/**
 * Whether PostgreSQL can keep a value as JSON, as it was meant: not too deep, no NUL character or half of a surrogate
 * pair, no number beyond all numbers. Walks without calling itself, so depth is no danger.
 */
export function isStorableJson(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    const next: unknown[] = [];
    for (const one of level) {
      if (!isStorableScalar(one)) return false;
      if (typeof one === 'object' && one !== null) {
        if (!Array.isArray(one) && !Object.keys(one).every(isStorableText)) return false;
        for (const inner of Object.values(one)) next.push(inner);
      }
    }
    level = next;
  }
  return true;
}

const isStorableScalar = (value: unknown) =>
  typeof value === 'string' ? isStorableText(value) : typeof value !== 'number' || Number.isFinite(value);
