import { cardDataIn } from './card-data.ts';

/** What a receipt is checked for before it is stored. */
export interface ReceiptToCheck {
  posOrderId: string | undefined;
  receiptToken: string | undefined;
  /** Everything a register writes freely, with the name of its field. */
  texts: readonly (readonly [name: string, text: string | null | undefined])[];
}

/** The sale's id has the room of an order's `pos_sale_id`, which it is matched with. */
const maxSaleIdLength = 64;

/** One sentence on why a receipt is not stored (our choice of words), or undefined. */
export function receiptFault({ posOrderId, receiptToken, texts }: ReceiptToCheck): string | undefined {
  if (!posOrderId) return 'it has no sale id.';
  if (posOrderId.length > maxSaleIdLength) return `its sale id is longer than ${maxSaleIdLength} characters.`;
  if (receiptToken !== undefined && !isReceiptToken(receiptToken)) return 'its token is not 64 hexadecimal characters.';
  for (const [name, text] of texts) {
    const found = text && cardDataIn(text, name);
    if (found) return `${found.what} in ${found.at}, which must not be stored.`;
  }
  return undefined;
}

/** 256 random bits in hexadecimal (spec 2.14). */
export const isReceiptToken = (token: string) => /^[0-9a-fA-F]{64}$/.test(token);
