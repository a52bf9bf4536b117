import type { Amount } from '../money/amount.ts';
import type { Quantity } from '../money/quantity.ts';

/** What a receipt is of: a sale, or one of the kinds of spec 2.14. */
export type ReceiptKind = 'sale' | 'refund' | 'exchange' | 'deposit' | 'top_up' | 'settlement' | 'credit_due';

/**
 * All that a receipt shows, as data: nothing is formatted yet, and nothing is in here that a customer must not see
 * (spec 2.14, 4.9). Money is in the receipt's currency, negative for what goes back.
 */
export interface ReceiptView {
  receiptId: number;
  /** The id in its code and its public address. */
  token: string;
  /** Where the public page is; null where nobody said how this shop is reached from outside. */
  pageUrl: string | null;
  kind: ReceiptKind;
  /** Of the store view: `de-DE`. */
  locale: string;
  /** Of the website: `Europe/Berlin`. */
  timeZone: string;
  /** ISO 4217; null where the register did not say. */
  currency: string | null;
  shop: ReceiptShop;
  facts: ReceiptFacts;
  items: readonly ReceiptLine[];
  /** Lines beyond the most that are shown. */
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
  /** What the square code leads to, and the words beside it. */
  code: { url: string; text: string | null } | null;
  isClaimed: boolean;
}

/** The shop as it is now (spec 2.14): of the location, locked settings of the shop, all of it the shop's once the location is gone. */
export interface ReceiptShop {
  name: string;
  /** Of the location; null where it is the shop's own name. */
  locationName: string | null;
  addressLines: readonly string[];
  phone: string | null;
  vatNumber: string | null;
  header: string | null;
  footer: string | null;
  /** Where name, address and number stand. */
  infoPlacement: 'header' | 'footer';
  /** Of the uploaded logo, which is asked for by this name; its width in percent of what fits. */
  logo: { digest: string; widthPercent: number } | null;
  /** A template of the shop's own, in the dialect of `docs/extend/receipts.md`; null: ours. */
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
  /** Before a price was changed at the register. */
  basePrice: Amount | null;
  /** How the goods reach the customer, where it is not by hand. */
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
  /** What it was charged on. */
  base: Amount | null;
  amount: Amount | null;
}

export interface ReceiptPayment {
  label: string;
  amount: Amount | null;
  /** What a card slip has to say: brand, the last digits, the approval. */
  details: readonly string[];
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
  method: string | null;
  reason: string | null;
}

export interface ReceiptFiscal {
  lines: readonly { label: string; value: string }[];
  /** For the code that the tax office reads. */
  code: string | null;
}
