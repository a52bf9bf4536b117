/** The field that holds a value, and the field around that one. Positions in lists are left out. */
export interface Way {
  name: string;
  within: Way | undefined;
}

/** A plain value within a text. */
export interface Leaf {
  text: string;
  way: Way | undefined;
}

/**
 * The plain values of a JSON text, also those of JSON texts within it; every key counts as a value, too. A text that
 * is not JSON is its own value. It does not recurse, so deep nesting is safe.
 */
export function* leavesOf(whole: string, way?: Way): Generator<Leaf> {
  const waiting: { value: unknown; way: Way | undefined }[] = [{ value: whole, way }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, way } = next;
    const nested = typeof value === 'string' ? nestedIn(value) : isNested(value) ? value : undefined;
    if (Array.isArray(nested)) for (const one of nested) waiting.push({ value: one, way });
    else if (nested) {
      for (const [name, inner] of Object.entries(nested)) {
        yield { text: name, way };
        waiting.push({ value: inner, way: { name, within: way } });
      }
    } else if (typeof value === 'string' || typeof value === 'number') yield { text: String(value), way };
  }
}

/** The names of the fields, the outermost first. */
export function namesOf(way: Way | undefined): string[] {
  const names: string[] = [];
  for (let one = way; one; one = one.within) names.push(one.name);
  return names.toReversed();
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Only objects and lists count as nested: a text of digits stays a text. */
function nestedIn(text: string): object | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return [value];
    return isNested(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
