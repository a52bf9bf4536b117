/**
 * The form of a SKU by which products are told apart: composed (NFC), in small letters. `ÄB` is `äb`, whichever way its
 * letters are put together.
 */
export const skuKey = (sku: string): string => sku.normalize('NFC').toLowerCase();
