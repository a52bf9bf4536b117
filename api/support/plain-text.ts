/** Text as the platform takes it: numbers and flags too (true is `1`, false is empty); undefined for what is nested. */
export function plainText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given === 'boolean') return given ? '1' : '';
  return typeof given === 'number' ? String(given) : undefined;
}
