import { cardDataIn } from '../card-data.ts';

/** The parts of a receipt that are checked before it is stored. */
export interface ReceiptToCheck {
  posOrderId: string | undefined;
  receiptToken: string | undefined;
  /** Every free text of a register, with the name of its field. */
  texts: readonly (readonly [name: string, text: string | null | undefined])[];
}

/** As long as an order's `pos_sale_id`, with which it is matched. */
const maxSaleIdLength = 64;

/** One sentence on why a receipt cannot be stored (our words), or undefined. */
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
