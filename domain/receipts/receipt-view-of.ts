import { resolveKey, type ResolvableKey } from '../configuration/resolvables.ts';
import { enforcementPath } from '../configuration/setting-defaults.ts';
import { withStoreAddress } from '../locations.ts';
import {
  amountAt,
  creditsOf,
  isSection,
  momentAt,
  paymentsOf,
  quantityAt,
  readReceiptModel,
  receiptLimits,
  rowsOf,
  shown,
  textAt,
  type EnteredForLine,
  type ReceiptModel,
  type ReceiptParts,
  type Section,
  type StoredItem,
  type StoredPlace,
  type StoredReceipt,
} from './receipt-payments.ts';
import type {
  ReceiptFacts,
  ReceiptFiscal,
  ReceiptKind,
  ReceiptLayaway,
  ReceiptLine,
  ReceiptRefund,
  ReceiptShipment,
  ReceiptShop,
  ReceiptTotals,
  ReceiptView,
} from './receipt-view.ts';

/** The keys under which the tax office's code is found. */
const codeKeys = ['qr_code_data', 'qr_code', 'qr_data'];
const receiptFiscalMostLines = 20;
/** The longest text that a QR code of the receipt's size can hold. */
const longestCode = 1_200;

/** Fiscal law decides what must be printed, so all values are shown word for word; the code is drawn. */
function fiscalOf({ fiscal }: ReceiptModel): ReceiptFiscal | null {
  const facts = Object.entries(fiscal).flatMap(([key, value]) => {
    const text = typeof value === 'boolean' ? value : shown(value);
    return text === null ? [] : [{ key, value: text }];
  });
  if (facts.length === 0) return null;
  const code = facts.find(({ key }) => codeKeys.includes(key))?.value;
  const isDrawn = typeof code === 'string' && code.length <= longestCode;
  return {
    code: isDrawn ? code : null,
    lines: facts.filter(({ key }) => !(isDrawn && codeKeys.includes(key))).slice(0, receiptFiscalMostLines),
  };
}

/**
 * The lines of the document, or the stored ones where it has none. One without options has those that were entered for
 * the line of the order with its SKU.
 */
function itemsOf(
  { root }: ReceiptModel,
  stored: readonly StoredItem[],
  entered: readonly EnteredForLine[] = [],
): ReceiptLine[] {
  const listed = rowsOf(root['items']);
  const lines = listed && listed.length > 0 ? listed.map(modelLine) : stored.map(storedLine);
  const left = [...entered];
  return lines.map((line) => {
    const at = left.findIndex(({ sku }) => sku === line.sku);
    if (line.options.length > 0 || at < 0) return line;
    return { ...line, options: left.splice(at, 1).flatMap(({ options }) => options) };
  });
}

const modelLine = (item: Section): ReceiptLine => ({
  name: textAt(item, 'name', 'sku') ?? '–',
  sku: textAt(item, 'sku'),
  qty: quantityAt(item, 'qty', 'quantity'),
  price: amountAt(item, 'price', 'unit_price'),
  rowTotal: amountAt(item, 'row_total', 'total'),
  discount: amountAt(item, 'discount_amount'),
  basePrice: amountAt(item, 'base_unit_price'),
  fulfillment: textAt(item, 'fulfillment_mode'),
  options: (rowsOf(item['options'], receiptLimits.options) ?? []).flatMap((option) => {
    const [label, value] = [textAt(option, 'label', 'name'), textAt(option, 'value')];
    return value === null ? [] : [{ label: label ?? '', value }];
  }),
});

const storedLine = (item: StoredItem): ReceiptLine => ({
  name: shown(item.name) ?? shown(item.sku) ?? '–',
  sku: shown(item.sku),
  qty: item.qty,
  price: item.price,
  rowTotal: item.rowTotal,
  discount: item.discountAmount,
  basePrice: item.baseUnitPrice,
  fulfillment: item.fulfillmentMode,
  options: [],
});

/** The path of a receipt's public page, below the shop's address. */
export const receiptPath = (token: string) => `/receipt/${token.toLowerCase()}`;

/** The path of a shop's logo. It is named after its bytes, so its content never changes. */
export const logoPath = (digest: string) => `/receipt-logo/${digest}`;

/** The settings at the receipt's location, as they are now. */
interface SettingsHere {
  text(key: ResolvableKey): string;
  shows(what: 'staff_name' | 'order_number' | 'receipt_number' | 'sale_reference'): boolean;
  number(key: ResolvableKey): number;
}

/**
 * The location's values win over the shop's. The shop's hold where they are locked or the location is deleted (spec
 * 2.2, 3.6).
 */
function settingsHere({ settings, place }: ReceiptParts): SettingsHere {
  const location = place ? { ...place.config_overrides, ...withoutNulls(place) } : {};
  const resolved = (key: ResolvableKey) => resolveKey(key, { settings, location, terminal: {} });
  return {
    text: (key) => String(resolved(key) ?? ''),
    shows: (what) => resolved(`receipt_show_${what}`) === true,
    number: (key) => Number(resolved(key) ?? 0),
  };
}

function shopOf({ settings, place, shopName, receipt }: ReceiptParts, here: SettingsHere): ReceiptShop {
  const isLocked = settings.flag(enforcementPath('store_details'));
  const where = withStoreAddress(
    place ? { ...place, address_use_storeview: isLocked || place.address_use_storeview } : nowhere,
    settings,
  );
  const digest = settings.text('vendor_pos_terminal/receipt/logo').trim();
  return {
    name: settings.text('general/store_information/name') || shopName,
    locationName: place?.name ?? receipt.locationName,
    addressLines: addressLines(where),
    phone: where.phone || null,
    vatNumber: here.text('vat_number') || where.vat_number || null,
    header: here.text('receipt_header').trim() || null,
    footer: here.text('receipt_footer').trim() || null,
    infoPlacement: here.text('receipt_store_info_placement') === 'footer' ? 'footer' : 'header',
    logo: /^[0-9a-f]{64}$/.test(digest) ? { digest, widthPercent: percent(here.number('receipt_logo_size')) } : null,
    template: settings.text('vendor_pos_terminal/receipt/template').trim() || null,
  };
}

/** For a deleted location: the shop's own address. */
const nowhere = {
  street: null,
  city: null,
  region: null,
  region_id: null,
  postcode: null,
  country_id: null,
  phone: null,
  vat_number: null,
  address_use_storeview: true,
};

/** The location's columns with a value: they win over its other overrides. */
const withoutNulls = (place: StoredPlace) =>
  Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null));

function addressLines({ street, city, region, postcode, country_id: country }: typeof nowhere | StoredPlace): string[] {
  const town = country === 'US' || country === 'CA' ? [city, [region, postcode]] : [[postcode, city], region];
  const line = town.map((part) => (Array.isArray(part) ? part.filter(Boolean).join(' ') : part)).filter(Boolean);
  return [street, line.join(', ')].flatMap((text) => (text ? [text] : []));
}

const percent = (posted: number) => Math.min(100, Math.max(20, posted || 100));

const { shipments: most, shippedItems, addressLines: receiptShipmentsAddressLines } = receiptLimits;

/** Shipments of the sale: goods sent to an address, and goods sent later when they arrive. */
const shipmentsOf = ({ root }: ReceiptModel, receipt: StoredReceipt): ReceiptShipment[] => [
  ...(rowsOf(root['ship_to_shipments'], most) ?? rowsOf(receipt.shipToShipments, most) ?? []).map(
    shipmentAs('ship_to'),
  ),
  ...(rowsOf(root['backorder_shipments'], most) ?? rowsOf(receipt.backorderShipments, most) ?? []).map(
    shipmentAs('backorder'),
  ),
];

const shipmentAs =
  (kind: ReceiptShipment['kind']) =>
  (shipment: Section): ReceiptShipment => ({
    kind,
    ...addressOf(shipment),
    method: textAt(shipment, 'method_label', 'shipping_method', 'method', 'carrier'),
    expectedAt: momentAt(shipment, 'expected_at', 'estimated_at', 'eta'),
    items: (rowsOf(shipment['items'], shippedItems) ?? []).map((item) => ({
      name: textAt(item, 'name', 'sku') ?? '–',
      qty: quantityAt(item, 'qty', 'quantity'),
    })),
  });

/** An address from its lines, or from its fields. */
function addressOf(shipment: Section): Pick<ReceiptShipment, 'lines' | 'country'> {
  const address = shipment['address'] ?? shipment['shipping_address'] ?? shipment;
  if (typeof address === 'string') return { lines: shownLines(address.split('\n')), country: null };
  if (!isSection(address)) return { lines: [], country: null };
  const street = Array.isArray(address['street'])
    ? shownLines(address['street']).join(', ')
    : textAt(address, 'street');
  const name = textAt(address, 'name') ?? joined([textAt(address, 'firstname'), textAt(address, 'lastname')], ' ');
  const country = textAt(address, 'country', 'country_id');
  return { lines: [name, street, townOf(address, country)].flatMap((line) => (line ? [line] : [])), country };
}

/** In North America the postcode follows the town; elsewhere it stands before it. */
function townOf(address: Section, country: string | null): string | null {
  const [city, region, postcode] = [textAt(address, 'city'), textAt(address, 'region'), textAt(address, 'postcode')];
  return /^(?:US|USA|United States|CA|Canada)\b/i.test(country ?? '')
    ? joined([city, joined([region, postcode], ' ')], ', ')
    : joined([joined([postcode, city], ' '), region], ', ');
}

/** At most as many lines as an address may have. */
const shownLines = (lines: readonly unknown[]): string[] =>
  lines.slice(0, receiptShipmentsAddressLines).flatMap((line) => shown(line) ?? []);

const joined = (parts: readonly (string | null)[], by: string) => parts.filter(Boolean).join(by) || null;

/** The sums of a receipt, each from its document, or else from its column. */
const totalsOf = ({ totals }: ReceiptModel, receipt: StoredReceipt): ReceiptTotals => ({
  subtotal: amountAt(totals, 'subtotal') ?? receipt.subtotal,
  discount: amountAt(totals, 'discount_amount', 'discount') ?? receipt.discountAmount,
  shipping: amountAt(totals, 'shipping_amount', 'shipping'),
  rounding: amountAt(totals, 'cash_rounding', 'rounding'),
  tax: amountAt(totals, 'tax_amount', 'tax') ?? receipt.taxAmount,
  taxes: (rowsOf(totals['tax_breakdown'], receiptLimits.taxes) ?? []).map((tax) => ({
    label: textAt(tax, 'label', 'title', 'name', 'code'),
    rate: rateAt(textAt(tax, 'rate', 'percent', 'tax_percent')),
    base: amountAt(tax, 'base', 'net_amount', 'taxable_amount'),
    amount: amountAt(tax, 'amount', 'tax_amount', 'tax'),
  })),
  grandTotal: amountAt(totals, 'grand_total', 'total') ?? receipt.grandTotal,
  isReverseCharge: receipt.isReverseCharge || totals['is_reverse_charge'] === true,
});

/** Percent, as a plain decimal. */
const rateAt = (text: string | null) =>
  text !== null && /^\d{1,3}(\.\d{1,6})?%?$/.test(text) ? text.replace('%', '') : null;

/**
 * How a shop shows staff names to customers, by the format of its location: `first_name`, `initials` …; else the
 * whole name.
 */
function staffNameAs(name: string | null, format: string | null): string | null {
  const [first = '', ...others] = (name ?? '').trim().split(/\s+/);
  const last = others.at(-1);
  if (first === '') return null;
  const initial = (word: string) => `${Array.from(word)[0] ?? ''}.`;
  if (format === 'first_name' || format === 'first') return first;
  if (format === 'first_name_last_initial' || format === 'first_initial')
    return last === undefined ? first : `${first} ${initial(last)}`;
  if (format === 'initials') return [first, ...(last === undefined ? [] : [last])].map(initial).join(' ');
  return [first, ...others].join(' ');
}

/** The most lines a receipt shows. */
export const mostLines = 500;

/**
 * All that a receipt shows. Each field comes from its document where this server can read it, else from its column.
 * The order's number and the shop's present data come from the server (spec 2.14, 4.9).
 */
export function receiptViewOf(parts: ReceiptParts): ReceiptView {
  const { receipt, settings, token } = parts;
  const model = readReceiptModel(receipt.receiptModel);
  const here = settingsHere(parts);
  const items = itemsOf(model, parts.items, parts.entered);
  const pageUrl = parts.publicBaseUrl === undefined ? null : `${parts.publicBaseUrl}${receiptPath(token)}`;
  return {
    receiptId: receipt.receiptId,
    token,
    pageUrl,
    kind: kindOf(receipt),
    locale: parts.locale,
    timeZone: parts.timeZone,
    currency: textAt(model.root, 'currency_code') ?? receipt.currency,
    shop: shopOf(parts, here),
    facts: factsOf(parts, model, here),
    items: items.slice(0, mostLines),
    itemsLeftOut: Math.max(0, items.length - mostLines),
    totals: totalsOf(model, receipt),
    payments: paymentsOf(model, receipt, settings),
    amountTendered: amountAt(model.payment, 'amount_tendered') ?? receipt.amountTendered,
    changeDue: amountAt(model.payment, 'change_due') ?? receipt.changeDue,
    credits: creditsOf(model, receipt),
    pointsEarned: amountAt(model.root, 'points_earned') ?? receipt.pointsEarned,
    shipments: shipmentsOf(model, receipt),
    layaway: layawayOf(model, receipt),
    refund: refundOf(model, receipt),
    fiscal: fiscalOf(model),
    code: codeOf(here, pageUrl, token),
    isClaimed: receipt.claimedAt !== null,
  };
}

const kindOf = ({ layawayKind, saleType }: StoredReceipt): ReceiptKind => layawayKind ?? saleType ?? 'sale';

function factsOf({ receipt, place }: ReceiptParts, { header }: ReceiptModel, here: SettingsHere): ReceiptFacts {
  const staffName = textAt(header, 'staff_name', 'cashier') ?? receipt.staffName;
  return {
    createdAt: momentAt(header, 'created_at', 'date') ?? receipt.createdAt,
    receiptNumber: here.shows('receipt_number') ? (textAt(header, 'receipt_number') ?? receipt.receiptNumber) : null,
    // The order is linked after the document was made, so the column is newer.
    orderNumber: here.shows('order_number')
      ? (receipt.orderIncrementId ?? textAt(header, 'order_increment_id', 'order_number'))
      : null,
    originalOrderNumber: textAt(header, 'original_order_increment_id') ?? receipt.originalOrderIncrementId,
    saleReference: here.shows('sale_reference') ? receipt.posOrderId : null,
    staffName: here.shows('staff_name') ? staffNameAs(staffName, place?.staff_name_format ?? null) : null,
    terminalName: textAt(header, 'terminal_name') ?? receipt.terminalName,
    customerName: textAt(header, 'customer_name') ?? receipt.customerName,
  };
}

function layawayOf({ layaway }: ReceiptModel, receipt: StoredReceipt): ReceiptLayaway | null {
  if (receipt.layawayKind === null) return null;
  return {
    captured: amountAt(layaway, 'amount_captured', 'amount_paid', 'amount') ?? receipt.layawayAmountCaptured,
    totalPaid: amountAt(layaway, 'total_paid') ?? receipt.layawayTotalPaid,
    balanceOwed: amountAt(layaway, 'balance_owed', 'balance_due', 'remaining_due') ?? receipt.layawayBalanceOwed,
    expiresAt: momentAt(layaway, 'expires_at') ?? receipt.layawayExpiresAt,
  };
}

function refundOf({ refund }: ReceiptModel, receipt: StoredReceipt): ReceiptRefund | null {
  if (receipt.saleType === null) return null;
  return {
    shippingRefund: amountAt(refund, 'shipping_refund') ?? receipt.shippingRefund,
    adjustmentPositive: amountAt(refund, 'adjustment_positive') ?? receipt.adjustmentPositive,
    adjustmentNegative: amountAt(refund, 'adjustment_negative') ?? receipt.adjustmentNegative,
    methodLabel: textAt(refund, 'method_label'),
    method: textAt(refund, 'method', 'refund_method'),
    reason: textAt(refund, 'reason'),
  };
}

/** The merchant's own address with `{token}` in it, else the public page. Only http and https addresses are used. */
function codeOf(here: SettingsHere, pageUrl: string | null, token: string): ReceiptView['code'] {
  const own = here.text('receipt_qr_url').trim();
  const url = own === '' ? pageUrl : own.replaceAll('{token}', token);
  if (url === null || !/^https?:\/\/[^\s]+$/i.test(url) || url.length > 1_000) return null;
  return { url, text: here.text('receipt_qr_text').trim() || null };
}
