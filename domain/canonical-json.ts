/** JSON with its keys sorted by name and without undefined values. So the same content always gives the same text. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner)) ?? 'null';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without a prototype: `__proto__` is a key like any other. */
function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inOrder: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(record).toSorted()) inOrder[key] = record[key];
  return inOrder;
}
