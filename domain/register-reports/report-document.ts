/** The most reports of one session and number: the first, and what contradicted it. */
export const maxReportsOfNumber = 100;

/** The most annotations of one report. */
export const maxAnnotations = 100;

/**
 * Whether a document has a whole number that JavaScript cannot hold: it would be stored as another one. Such a number
 * is sent as text.
 */
export function hasUnsafeNumber(value: unknown): boolean {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number' && Number.isInteger(next) && !Number.isSafeInteger(next)) return true;
    // `null` is nothing to look into, and `undefined` would end the loop.
    if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) if (inner !== undefined && inner !== null) pending.push(inner);
  }
  return false;
}
