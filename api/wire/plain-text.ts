/** Text as the platform takes it: numbers and flags too (true is `1`, false is empty); undefined for what is nested. */
export function plainText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given === 'boolean') return given ? '1' : '';
  return typeof given === 'number' ? String(given) : undefined;
}

/** One value of what is kept about a payment, as answers have it: what is nested is JSON text (platform facts 4.3). */
export const informationText = (value: unknown) => (value === null ? '' : (plainText(value) ?? JSON.stringify(value)));
