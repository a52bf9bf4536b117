const written = /^(?:\{([0-9a-f-]+)\}|(?:urn:uuid:)?([0-9a-f-]+))$/i;
const grouped = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const plain = /^[0-9a-f]{32}$/i;

/**
 * A UUID in its one spelling, small letters with dashes: what a register writes in capitals, in braces or without
 * dashes is the same cart. Undefined for what is no UUID.
 */
export function canonicalUuid(text: string): string | undefined {
  const match = written.exec(text.trim());
  const uuid = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
  if (grouped.test(uuid)) return uuid;
  if (!plain.test(uuid)) return undefined;
  return [uuid.slice(0, 8), uuid.slice(8, 12), uuid.slice(12, 16), uuid.slice(16, 20), uuid.slice(20)].join('-');
}
