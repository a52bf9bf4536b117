import { codeLabels } from '../code-labels.ts';
import { settingDefaults, type ShopSettings } from '../configuration/setting-defaults.ts';
import type { PlaceAddress } from '../locations.ts';
import { parseAmount, parseQuantity, type Amount, type Quantity } from '../money.ts';
import type { ShownOption } from '../platform/catalog/entered-options.ts';
import type { ReceiptCredit, ReceiptDetail, ReceiptPayment } from './receipt-view.ts';

/** An object in a register's document: each member's type must be checked before use. */
export type Section = Readonly<Record<string, unknown>>;

/** The longest text of one field on a receipt; a longer text ends in an ellipsis. */
const longestText = 2_000;
/** The most rows read from one list. */
const mostRows = 2_000;

/** A parsed JSON text; undefined where it is not JSON. */
function parseLoosely(text: string | null | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sectionOf = (value: unknown): Section => (isSection(value) ? value : {});

/** The first objects of a list, up to a maximum; undefined where there is no list. A text is parsed as JSON. */
export function rowsOf(value: unknown, most: number = mostRows): readonly Section[] | undefined {
  const list = typeof value === 'string' ? parseLoosely(value) : value;
  return Array.isArray(list) ? list.slice(0, most).filter(isSection) : undefined;
}

/** The first of some members that holds readable text. */
export function textAt(section: Section, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = shown(own(section, key));
    if (text !== null) return text;
  }
  return null;
}

/** A text prepared for display; null where nothing can be displayed. */
export function shown(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value.length > longestText ? `${value.slice(0, longestText).trimEnd()}…` : value.trim();
}

export const amountAt = (section: Section, ...keys: readonly string[]): Amount | null =>
  firstOf(section, keys, parseAmount);

export const quantityAt = (section: Section, ...keys: readonly string[]): Quantity | null =>
  firstOf(section, keys, parseQuantity);

/**
 * A moment in ISO 8601; null for anything else. A date without a time counts as its noon, so it is the same day in
 * almost every time zone.
 */
export function momentAt(section: Section, ...keys: readonly string[]): Date | null {
  const text = textAt(section, ...keys);
  if (text === null || !/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const moment = new Date(text.length === 10 ? `${text}T12:00:00Z` : text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

function firstOf<Value>(
  section: Section,
  keys: readonly string[],
  parse: (text: string) => Value | undefined,
): Value | null {
  for (const key of keys) {
    const value = own(section, key);
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    const parsed = parse(String(value));
    if (parsed !== undefined) return parsed;
  }
  return null;
}

/** Only own members, never inherited ones. */
const own = (section: Section, key: string): unknown => (Object.hasOwn(section, key) ? section[key] : undefined);

/**
 * How much of each list a receipt shows, whatever a register sent. A page, a mail and a PDF are made of it for anyone
 * with the link. Anything beyond is not shown.
 */
export const receiptLimits = {
  /** Of one line. */
  options: 20,
  /** Of a split payment. */
  payments: 50,
  credits: 50,
  taxes: 30,
  /** Of each kind: shipments now, and shipments later. */
  shipments: 20,
  /** Of one shipment. */
  shippedItems: 100,
  /** Of one shipment; also the limit of its street lines. */
  addressLines: 10,
} as const;

/** The payments: each part of a split payment, or the single method. */
export function paymentsOf(model: ReceiptModel, receipt: StoredReceipt, settings: ShopSettings): ReceiptPayment[] {
  const { payment } = model;
  const labels = ownLabels(settings);
  const named = (part: Section, method: string | null) => ({
    label: textAt(part, 'label', 'title', 'method_label') ?? labels.get(method ?? '') ?? null,
    method,
  });
  const most = receiptLimits.payments;
  const parts = rowsOf(payment['split_payments'], most) ?? rowsOf(receipt.splitPayments, most) ?? [];
  if (parts.length > 0)
    return parts.map((part) => ({
      ...named(part, textAt(part, 'method', 'payment_method', 'code')),
      amount: amountAt(part, 'amount', 'amount_tendered'),
      details: cardDetails(part),
    }));
  const method = textAt(payment, 'method', 'payment_method') ?? receipt.paymentMethod;
  if (method === null && textAt(payment, 'label', 'title') === null) return [];
  return [
    {
      ...named(payment, method),
      amount: amountAt(payment, 'amount') ?? receipt.amountTendered ?? receipt.layawayAmountCaptured ?? sumOf(receipt),
      details: slipOf(payment['terminal_info'] ?? receipt.terminalInfo, payment),
    },
  ];
}

/** The total, where no credit paid a part. */
const sumOf = (receipt: StoredReceipt) =>
  (rowsOf(receipt.appliedCredits) ?? []).length === 0 ? receipt.grandTotal : null;

const methodsPath = 'vendor_pos_terminal/payments/terminal_methods';
const labelsIn = (text: string) => new Map(codeLabels(text).map(({ code, label }) => [code, label]));
/** Labels of a shop that has named none. */
export const defaultMethodLabels: ReadonlyMap<string, string> = labelsIn(settingDefaults[methodsPath] ?? '');

/** The shop's own labels of methods. A label that was not changed is left to the receipt's language. */
function ownLabels(settings: ShopSettings): ReadonlyMap<string, string> {
  const text = settings.text(methodsPath);
  if (text === settingDefaults[methodsPath]) return new Map();
  return new Map(
    [...labelsIn(text)].filter(([code, label]) => label !== code && label !== defaultMethodLabels.get(code)),
  );
}

/** A code's own letters as words. */
export function inWords(code: string): string {
  const words = code.replaceAll(/[_-]+/g, ' ').trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** The card terminal's own lines, or lines made from the card's fields. */
function slipOf(info: unknown, payment: Section): ReceiptDetail[] {
  const parsed = typeof info === 'string' ? (parseLoosely(info) ?? info) : info;
  if (isSection(parsed)) return cardDetails(parsed);
  if (typeof parsed === 'string')
    return parsed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .slice(0, 20)
      .map((text) => ({ kind: 'line', text }));
  return cardDetails(payment);
}

/** Brand, last digits, approval and application: what a card slip must show, and nothing else of a card. */
function cardDetails(fields: Section): ReceiptDetail[] {
  const brand = textAt(fields, 'card_brand', 'card_type', 'brand', 'scheme');
  const last = /(\d{4})\D*$/.exec(textAt(fields, 'last4', 'card_last4', 'last_four', 'masked_pan') ?? '')?.[1];
  const details: [ReceiptDetail['kind'], string | null][] = [
    ['line', [brand, last === undefined ? undefined : `•••• ${last}`].filter(Boolean).join(' ')],
    ['approval', textAt(fields, 'auth_code', 'authorization_code', 'approval_code')],
    ['application', textAt(fields, 'aid')],
    ['entry', textAt(fields, 'entry_mode', 'entry_method')],
  ];
  return details.flatMap(([kind, text]) => (text ? [{ kind, text }] : []));
}

const creditKinds = { store_credit: 'store_credit', gift_card: 'gift_card', reward_points: 'reward_points' } as const;

/** Credits that paid a part; of a gift card only the end of its code is shown. */
export function creditsOf(model: ReceiptModel, receipt: StoredReceipt): ReceiptCredit[] {
  const most = receiptLimits.credits;
  const listed = rowsOf(model.payment['applied_credits'], most) ?? rowsOf(receipt.appliedCredits, most) ?? [];
  return listed.map((credit) => {
    const kind = textAt(credit, 'type', 'kind', 'credit_type') ?? '';
    const code = textAt(credit, 'code', 'gift_card_code', 'reference');
    return {
      kind: Object.hasOwn(creditKinds, kind) ? creditKinds[kind as keyof typeof creditKinds] : 'other',
      tail: code === null || code.length < 8 ? null : code.slice(-4),
      label: textAt(credit, 'label', 'title'),
      amount: amountAt(credit, 'amount', 'applied_amount'),
      points: quantityAt(credit, 'points'),
    };
  });
}

/** The version of the receipt document that this server reads (spec 2.14). */
const knownVersion = 1;

/** The sections of a receipt document; a missing section is empty. */
export interface ReceiptModel {
  header: Section;
  totals: Section;
  payment: Section;
  layaway: Section;
  refund: Section;
  fiscal: Section;
  /** The document itself: its lists and plain values. */
  root: Section;
}

/**
 * Reads the document that a register sent with its receipt. A document that is not JSON, or has an unknown version,
 * is ignored: the columns are shown instead (spec 2.14, 9).
 */
export function readReceiptModel(text: string | null): ReceiptModel {
  const parsed = parseLoosely(text);
  const root = isSection(parsed) && Number(parsed['schema_version']) === knownVersion ? parsed : {};
  return {
    root,
    header: sectionOf(root['header']),
    totals: sectionOf(root['totals']),
    payment: sectionOf(root['payment']),
    layaway: { ...sectionOf(root['layaway']), ...sectionOf(root['layaway_payment']) },
    refund: sectionOf(root['refund']),
    fiscal: sectionOf(root['fiscal']),
  };
}

/** The columns of a receipt from which a customer may see something. */
export interface StoredReceipt {
  receiptId: number;
  posOrderId: string;
  createdAt: Date;
  saleType: (typeof saleTypes)[number] | null;
  layawayKind: (typeof layawayKinds)[number] | null;
  currency: string | null;
  staffName: string | null;
  terminalName: string | null;
  locationName: string | null;
  customerName: string | null;
  receiptNumber: string | null;
  orderIncrementId: string | null;
  originalOrderIncrementId: string | null;
  paymentMethod: string | null;
  subtotal: Amount | null;
  taxAmount: Amount | null;
  discountAmount: Amount | null;
  grandTotal: Amount | null;
  amountTendered: Amount | null;
  changeDue: Amount | null;
  shippingRefund: Amount | null;
  adjustmentPositive: Amount | null;
  adjustmentNegative: Amount | null;
  layawayAmountCaptured: Amount | null;
  layawayTotalPaid: Amount | null;
  layawayBalanceOwed: Amount | null;
  layawayExpiresAt: Date | null;
  pointsEarned: Amount | null;
  isReverseCharge: boolean;
  receiptModel: string | null;
  splitPayments: string | null;
  appliedCredits: string | null;
  shipToShipments: string | null;
  backorderShipments: string | null;
  terminalInfo: string | null;
  claimedAt: Date | null;
}

/** What was entered for a line of the order, such as an engraving. */
export interface EnteredForLine {
  sku: string;
  options: readonly ShownOption[];
}

export interface StoredItem {
  sku: string | null;
  name: string | null;
  qty: Quantity | null;
  price: Amount | null;
  rowTotal: Amount | null;
  discountAmount: Amount | null;
  baseUnitPrice: Amount | null;
  fulfillmentMode: string | null;
}

/** A location's columns that a receipt shows or needs, by the keys of the resolved config. */
export interface StoredPlace extends PlaceAddress {
  name: string;
  receipt_header: string | null;
  receipt_footer: string | null;
  receipt_show_staff_name: boolean | null;
  receipt_show_order_number: boolean | null;
  receipt_logo_size: number | null;
  receipt_store_info_placement: string | null;
  staff_name_format: string | null;
  config_overrides: Readonly<Record<string, unknown>>;
}

/** All data from which a receipt is made. */
export interface ReceiptParts {
  receipt: StoredReceipt;
  items: readonly StoredItem[];
  /** Of the lines of the order with custom options, in their order; undefined: none. */
  entered?: readonly EnteredForLine[] | undefined;
  token: string;
  /** The location now; undefined: deleted, or not named by the receipt. */
  place: StoredPlace | undefined;
  /** The settings in the store view of the location, or of the sale. */
  settings: ShopSettings;
  shopName: string;
  locale: string;
  timeZone: string;
  /** The shop's public address; undefined where it is not set. */
  publicBaseUrl: string | undefined;
}

/** The kinds of receipts (spec 2.14). A regular sale has no such word. */
export const saleTypes = ['refund', 'exchange'] as const;

export const layawayKinds = ['deposit', 'top_up', 'settlement', 'credit_due'] as const;
