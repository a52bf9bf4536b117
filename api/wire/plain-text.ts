/**
 * Text as the platform accepts it: numbers and flags too (true is `1`, false is empty); undefined for a nested value.
 */
export function plainText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given === 'boolean') return given ? '1' : '';
  return typeof given === 'number' ? String(given) : undefined;
}

/** A stored value of a payment in answers: a nested value becomes JSON text (platform facts 4.3). */
export const informationText = (value: unknown) => (value === null ? '' : (plainText(value) ?? JSON.stringify(value)));
