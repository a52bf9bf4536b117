import { cardDataIn } from '../card-data.ts';
import type { Amount, Quantity } from '../money.ts';

/** The kind of receipt: a sale, or one of the kinds of spec 2.14. */
export type ReceiptKind = 'sale' | 'refund' | 'exchange' | 'deposit' | 'top_up' | 'settlement' | 'credit_due';

/**
 * All that a receipt shows, as unformatted data. It holds nothing that a customer must not see (spec 2.14, 4.9).
 * Money is in the receipt's currency, negative for refunds.
 */
export interface ReceiptView {
  receiptId: number;
  /** The id in its code and its public address. */
  token: string;
  /** The address of the public page; null where the shop's public address is not set. */
  pageUrl: string | null;
  kind: ReceiptKind;
  /** Of the store view: `de-DE`. */
  locale: string;
  /** Of the website: `Europe/Berlin`. */
  timeZone: string;
  /** ISO 4217; null where the register did not send it. */
  currency: string | null;
  shop: ReceiptShop;
  facts: ReceiptFacts;
  items: readonly ReceiptLine[];
  /** How many lines exceed the maximum and are not shown. */
  itemsLeftOut: number;
  totals: ReceiptTotals;
  payments: readonly ReceiptPayment[];
  amountTendered: Amount | null;
  changeDue: Amount | null;
  credits: readonly ReceiptCredit[];
  pointsEarned: Amount | null;
  shipments: readonly ReceiptShipment[];
  layaway: ReceiptLayaway | null;
  refund: ReceiptRefund | null;
  fiscal: ReceiptFiscal | null;
  /** The address in the QR code, and the text beside it. */
  code: { url: string; text: string | null } | null;
  isClaimed: boolean;
}

/**
 * The shop as it is now (spec 2.14): the location's values, the shop's where they are locked, all of the shop's where
 * the location is deleted.
 */
export interface ReceiptShop {
  name: string;
  /** The location's name; null where it equals the shop's. */
  locationName: string | null;
  addressLines: readonly string[];
  phone: string | null;
  vatNumber: string | null;
  header: string | null;
  footer: string | null;
  /** The position of name, address and number. */
  infoPlacement: 'header' | 'footer';
  /** The digest by which the logo is requested; its width in percent of the available space. */
  logo: { digest: string; widthPercent: number } | null;
  /** A template of the shop's own, in the dialect of `docs/receipts.md`; null: the built-in one. */
  template: string | null;
}

export interface ReceiptFacts {
  createdAt: Date;
  receiptNumber: string | null;
  orderNumber: string | null;
  originalOrderNumber: string | null;
  saleReference: string | null;
  staffName: string | null;
  terminalName: string | null;
  customerName: string | null;
}

export interface ReceiptLine {
  name: string;
  sku: string | null;
  qty: Quantity | null;
  price: Amount | null;
  rowTotal: Amount | null;
  discount: Amount | null;
  /** The price before the register changed it. */
  basePrice: Amount | null;
  /** How the goods reach the customer, if not over the counter. */
  fulfillment: string | null;
  options: readonly { label: string; value: string }[];
}

export interface ReceiptTotals {
  subtotal: Amount | null;
  discount: Amount | null;
  shipping: Amount | null;
  rounding: Amount | null;
  tax: Amount | null;
  taxes: readonly ReceiptTax[];
  grandTotal: Amount | null;
  isReverseCharge: boolean;
}

export interface ReceiptTax {
  label: string | null;
  /** In percent, as it was written. */
  rate: string | null;
  /** The base on which it was charged. */
  base: Amount | null;
  amount: Amount | null;
}

export interface ReceiptPayment {
  /** In the register's or the shop's own words; null: the receipt's language has a word for the method. */
  label: string | null;
  method: string | null;
  amount: Amount | null;
  details: readonly ReceiptDetail[];
}

/** A line of a card slip: as the terminal wrote it, or a field whose name the receipt's language says. */
export interface ReceiptDetail {
  kind: 'line' | 'approval' | 'application' | 'entry';
  text: string;
}

export interface ReceiptCredit {
  kind: 'store_credit' | 'gift_card' | 'reward_points' | 'other';
  /** Of a gift card: the last characters only. */
  tail: string | null;
  label: string | null;
  amount: Amount | null;
  points: Quantity | null;
}

export interface ReceiptShipment {
  kind: 'ship_to' | 'backorder';
  lines: readonly string[];
  /** Its name, or its code of two letters; the last line of the address. */
  country: string | null;
  method: string | null;
  expectedAt: Date | null;
  items: readonly { name: string; qty: Quantity | null }[];
}

export interface ReceiptLayaway {
  captured: Amount | null;
  totalPaid: Amount | null;
  balanceOwed: Amount | null;
  expiresAt: Date | null;
}

export interface ReceiptRefund {
  shippingRefund: Amount | null;
  adjustmentPositive: Amount | null;
  adjustmentNegative: Amount | null;
  /** In the register's own words; null: the receipt's language has a word for the method. */
  methodLabel: string | null;
  method: string | null;
  reason: string | null;
}

export interface ReceiptFiscal {
  /** By the register's name of the field. */
  lines: readonly { key: string; value: string | boolean }[];
  /** The text of the code that the tax office reads. */
  code: string | null;
}

/** What became of a PDF: made and kept, no browser to make it, or too costly to make. */
export type PdfOutcome = 'made' | 'no_browser' | 'too_much';

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
