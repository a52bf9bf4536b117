const plain = /^[ -~]*$/;

/**
 * The form of a SKU by which products are told apart, as on the platform: composed (NFC), in small letters. `ÄB` is `äb`,
 * whichever way its letters are put together. The database has the same form: `skuKeyOf`.
 */
export const skuKey = (sku: string): string =>
  plain.test(sku) ? sku.toLowerCase() : Array.from(sku.normalize('NFC'), small).join('');

/** Letter by letter, as the database does: a Σ at the end of a word is small like any other. */
const small = (letter: string) => (letter === 'İ' ? 'i' : letter.toLowerCase());

/** How the catalog writes a SKU; one that it does not have stays as it was given. */
export function storedSkuAmong(known: readonly string[]): (sku: string) => string {
  const stored = new Map(known.map((sku) => [skuKey(sku), sku]));
  return (sku) => stored.get(skuKey(sku)) ?? sku;
}
