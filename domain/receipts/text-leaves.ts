/** The field a value stands in, and the one that field stands in. Places in lists are left out. */
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
 * The plain values of a JSON text, those of JSON texts within it too, and every key as a value of its own; a text that is
 * no JSON is itself. Walks without calling itself, so depth is no danger.
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

/** The names of the fields, from the outside. */
export function namesOf(way: Way | undefined): string[] {
  const names: string[] = [];
  for (let one = way; one; one = one.within) names.push(one.name);
  return names.toReversed();
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Only what is nested: a text of digits is a text. */
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
