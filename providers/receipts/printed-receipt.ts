import { absolute, negate, pieces, quantity, subtract, toWire, type Amount } from '../../domain/money.ts';
import type {
  ReceiptCredit,
  ReceiptDetail,
  ReceiptLine,
  ReceiptTax,
  ReceiptView,
} from '../../domain/receipts/receipt-view.ts';
import { codeInWords, type Formats } from './formats.ts';
import {
  asSubtracted,
  receiptWriterOf,
  squaresOf,
  type Labelled,
  type Mask,
  type ReceiptWriter,
  type Words,
} from './receipt-writer.ts';

/** Bars and gaps of Code 128, set B and its control symbols: widths of three bars and three gaps for each value. */
const patterns = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232'
).split(' ');
const startB = 104;
const stop = '2331112';
const quiet = 10;
const zero = '0'.charCodeAt(0);
/** By width. */
const bars = [0, 1, 2, 3, 4].map((width) => ` 0h${width}v40h-${width}z`);
/** The most characters on 80 mm of paper. */
const longest = 24;

/**
 * Draws a number as Code 128 for a hand scanner; undefined for a text that is too long or not plain letters and
 * digits.
 */
export function barsOf(text: string): { width: number; path: string } | undefined {
  if (!/^[\x20-\x7e]+$/.test(text) || text.length > longest) return undefined;
  let check = startB;
  let widths = patterns[startB] ?? '';
  for (let place = 0; place < text.length; place++) {
    const value = text.charCodeAt(place) - 32;
    check += value * (place + 1);
    widths += patterns[value] ?? '';
  }
  widths += (patterns[check % 103] ?? '') + stop;
  let x = quiet;
  let path = '';
  for (let place = 0; place < widths.length; place++) {
    const width = widths.charCodeAt(place) - zero;
    if (place % 2 === 0) path += `M${x}${bars[width] ?? ''}`;
    x += width;
  }
  return { width: x + quiet, path };
}

/** The paid part of a layaway, or of an order with credit due. */
function printedLayaway({ kind, layaway, totals }: ReceiptView, { formats, words }: ReceiptWriter) {
  if (layaway === null) return null;
  const owed = layaway.balanceOwed ?? restOf(totals.grandTotal, layaway.totalPaid);
  const isPaid = owed !== null && owed <= 0;
  const owedLabel = kind === 'credit_due' ? words.remainingDue : words.balanceOwed;
  const rows: [string, string | null][] = [
    [words.paidNow, layaway.captured === null ? null : formats.money(layaway.captured)],
    [words.totalPaid, layaway.totalPaid === null ? null : formats.money(layaway.totalPaid)],
    [owedLabel, owed === null ? null : formats.money(owed)],
    [words.payBy, layaway.expiresAt === null || isPaid ? null : formats.day(layaway.expiresAt)],
  ];
  return {
    title: kind === 'credit_due' ? words.balance : words.layaway,
    rows: rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
    paid: isPaid ? words.paidInFull : null,
    share: shareOf(layaway.totalPaid, owed),
  };
}

const restOf = (total: Amount | null, paid: Amount | null) =>
  total === null || paid === null ? null : subtract(total, paid);

/** In whole percent, for a bar. */
function shareOf(paid: Amount | null, owed: Amount | null): number | null {
  if (paid === null || owed === null || paid + owed <= 0) return null;
  return Math.min(100, Math.max(0, Math.floor((paid * 100) / (paid + owed))));
}

const printedItems = ({ items }: ReceiptView, pen: ReceiptWriter) => items.map((item) => printedItem(item, pen));

function printedItem(item: ReceiptLine, { formats: { count, money }, beside }: ReceiptWriter) {
  const isPlain = item.qty === null || item.qty === pieces(1);
  const each = item.price === null ? null : money(item.price);
  const was = item.basePrice !== null && item.price !== null && subtract(item.basePrice, item.price) > 0;
  return {
    name: item.name,
    sku: item.sku === item.name ? null : item.sku,
    quantity:
      isPlain || item.qty === null ? null : each === null ? count(item.qty) : beside([count(item.qty), each], ' × '),
    was: was && item.basePrice !== null ? money(item.basePrice) : null,
    discount: item.discount === null || item.discount === 0 ? null : money(asSubtracted(item.discount)),
    total: item.rowTotal === null ? each : money(item.rowTotal),
    options: item.options,
  };
}

const printedShipments = ({ shipments }: ReceiptView, { formats, words }: ReceiptWriter) =>
  shipments.map(({ kind, lines, country, method, expectedAt, items }) => ({
    title: kind === 'ship_to' ? words.shipTo : words.backorder,
    lines: country === null ? lines : [...lines, formats.country(country)],
    method,
    expected: expectedAt === null ? null : formats.day(expectedAt),
    items: items.map(({ name, qty }) => ({ name, quantity: qty === null ? null : formats.count(qty) })),
  }));

/** The payments, with credits used and change given. */
function printedPayments(view: ReceiptView, pen: ReceiptWriter) {
  const { formats, words, beside } = pen;
  const codeText = (code: string | null) => (code === null ? null : codeInWords(view.locale, code));
  const detailIn = ({ kind, text }: ReceiptDetail): string => {
    if (kind === 'entry') return codeInWords(view.locale, text);
    return kind === 'line' ? text : beside([words[kind], text]);
  };
  const refundMethod = view.refund && (view.refund.methodLabel ?? codeText(view.refund.method));
  const change = view.changeDue !== null && toWire(view.changeDue) > 0 ? formats.money(view.changeDue) : null;
  const printed = {
    payments: view.payments.map(({ label, method, amount, details }) => ({
      label: label ?? codeText(method) ?? '–',
      value: amount === null ? '' : formats.money(amount),
      details: details.map(detailIn),
    })),
    credits: view.credits.map((credit) => ({
      label: creditLabel(credit, pen),
      value: credit.amount === null ? '' : formats.money(credit.amount),
    })),
    change: change === null ? null : { label: words.change, value: change },
    refundMethod: refundMethod ? { label: words.refundMethod, value: refundMethod } : null,
    reason: view.refund?.reason ? { label: words.reason, value: view.refund.reason } : null,
    pointsEarned:
      view.pointsEarned === null || view.pointsEarned === 0
        ? null
        : { label: words.pointsEarned, value: formats.count(view.pointsEarned) },
  };
  return { ...printed, hasPayments: Object.values(printed).some((part) => (Array.isArray(part) ? part[0] : part)) };
}

function creditLabel({ kind, tail, label, points }: ReceiptCredit, pen: ReceiptWriter): string {
  const { formats, words, beside } = pen;
  const names = {
    store_credit: words.storeCredit,
    gift_card: words.giftCard,
    reward_points: words.rewardPoints,
    other: words.credit,
  };
  const name = label ?? names[kind];
  if (tail !== null) return beside([name, `•••• ${tail}`]);
  return points === null ? name : beside([name, `(${formats.count(points)} ${words.points})`]);
}

/** The sums of a receipt, from the goods to the total. Zero amounts are left out, except tax. */
function printedTotals({ kind, totals, refund }: ReceiptView, pen: ReceiptWriter) {
  const { formats, words } = pen;
  const { money } = formats;
  const rows: [string, Amount | null][] = [
    [words.subtotal, totals.subtotal],
    [words.discount, unlessZero(totals.discount) && asSubtracted(totals.discount as Amount)],
    [words.shipping, unlessZero(totals.shipping)],
    [words.shippingRefund, unlessZero(refund?.shippingRefund ?? null)],
    [words.adjustmentPositive, unlessZero(refund?.adjustmentPositive ?? null)],
    [words.adjustmentNegative, unlessZero(refund?.adjustmentNegative ?? null)],
    [words.rounding, unlessZero(totals.rounding)],
  ];
  const sums = rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value: money(value) }]));
  const taxes = totals.taxes.map((tax) => taxRow(tax, pen));
  const tax = totals.tax === null || taxes.length > 1 ? [] : [{ label: words.tax, value: money(totals.tax) }];
  const total = totals.grandTotal;
  return {
    totals: [...sums, ...(taxes.length > 0 ? taxes : tax)],
    total:
      total === null ? null : { label: kind === 'refund' ? words.totalRefunded : words.total, value: money(total) },
    reverseCharge: totals.isReverseCharge ? words.reverseCharge : null,
  };
}

const unlessZero = (value: Amount | null): Amount | null => (value === 0 ? null : value);

function taxRow({ label, rate, base, amount }: ReceiptTax, { formats, words, beside }: ReceiptWriter): Labelled {
  const share = rate === null ? null : formats.percent(rate);
  const name = label ?? words.tax;
  const named = share === null || name.includes('%') ? [name] : [name, share];
  const on = base === null ? [] : [words.taxOn, formats.money(base)];
  return { label: beside([...named, ...on]), value: amount === null ? '' : formats.money(amount) };
}

/**
 * A refund with what went back as plain amounts, so that its column adds up to "total refunded". Registers send it
 * negative, but shipping and adjustments positive; a fee lessens what went back.
 */
function unsignedRefund(view: ReceiptView): ReceiptView {
  if (view.kind !== 'refund') return view;
  const { totals, refund } = view;
  // A fee may take all of it: then only the goods tell the sign.
  const isNegative = (totals.grandTotal || totals.subtotal || 0) < 0;
  const back = (value: Amount | null) => (value === null || !isNegative ? value : negate(value));
  return {
    ...view,
    items: view.items.map((item) => ({
      ...item,
      qty: item.qty === null || !isNegative ? item.qty : quantity(0 - item.qty),
      rowTotal: back(item.rowTotal),
      discount: back(item.discount),
    })),
    totals: {
      ...totals,
      subtotal: back(totals.subtotal),
      discount: back(totals.discount),
      shipping: back(totals.shipping),
      rounding: back(totals.rounding),
      tax: back(totals.tax),
      taxes: totals.taxes.map((tax) => ({ ...tax, base: back(tax.base), amount: back(tax.amount) })),
      grandTotal: back(totals.grandTotal),
    },
    payments: view.payments.map((payment) => ({ ...payment, amount: back(payment.amount) })),
    credits: view.credits.map((credit) => ({ ...credit, amount: back(credit.amount) })),
    refund: refund && {
      ...refund,
      shippingRefund: refund.shippingRefund && absolute(refund.shippingRefund),
      adjustmentPositive: refund.adjustmentPositive && absolute(refund.adjustmentPositive),
      adjustmentNegative: refund.adjustmentNegative && negate(absolute(refund.adjustmentNegative)),
    },
  };
}

/** A receipt in the form its templates need: only texts, written by its locale. */
export type PrintedReceipt = ReturnType<typeof printReceipt>;

/** @param logo the logo's address: one of our paths, or the picture itself in a document without a network */
export function printReceipt(input: ReceiptView, { logo }: { logo: string | null }) {
  const view = unsignedRefund(input);
  const pen = receiptWriterOf(view);
  const { formats, words, beside } = pen;
  const title = words[titles[view.kind]];
  return {
    lang: formats.language,
    dir: formats.direction,
    words,
    title,
    heading: beside([title, view.shop.name], ' · '),
    isRefund: view.kind === 'refund',
    amount: heroOf(view, formats),
    moment: formats.moment(view.facts.createdAt),
    isoMoment: view.facts.createdAt.toISOString(),
    shop: printShop(view, logo),
    facts: factsOf(view, words),
    items: printedItems(view, pen),
    moreItems: view.itemsLeftOut > 0 ? formats.count((view.itemsLeftOut * 10_000) as Amount) : null,
    ...printedTotals(view, pen),
    ...printedPayments(view, pen),
    layaway: printedLayaway(view, pen),
    shipments: printedShipments(view, pen),
    fiscal: printedFiscal(view, pen),
    code: codeOf(view),
    bars: barsFor(view),
    isClaimed: view.isClaimed,
  };
}

/** How many characters fit side by side on a phone. */
const halfLine = 20;

const titles = {
  sale: 'receipt',
  refund: 'refund',
  exchange: 'exchange',
  deposit: 'deposit',
  top_up: 'top_up',
  settlement: 'settlement',
  credit_due: 'credit_due',
} as const;

/** The amount at the top: what was paid, or what was refunded. */
function heroOf({ totals, layaway }: ReceiptView, { money }: Formats): string | null {
  const sum = layaway?.captured ?? totals.grandTotal;
  return sum === null ? null : money(sum);
}

const printShop = ({ shop }: ReceiptView, logo: string | null) => ({
  name: shop.name,
  locationName: shop.locationName === null ? null : without(shop.locationName, shop.name) || null,
  address: shop.addressLines,
  phone: shop.phone,
  vat: shop.vatNumber,
  header: linesOf(shop.header).filter((line) => line === '' || !isNameAlone(line, shop)),
  footer: linesOf(shop.footer),
  isInfoAbove: shop.infoPlacement === 'header',
  logo: logo === null || shop.logo === null ? null : { src: logo, width: Math.round(shop.logo.widthPercent * 2) },
});

/** The shop's name stands once: a line of nothing but the names above it adds nothing. */
const isNameAlone = (line: string, { name, locationName }: ReceiptView['shop']) =>
  line.includes(name) && without(without(line, name), locationName ?? '') === '';

/** A text without a name in it, and without the signs that joined the two. */
function without(text: string, name: string): string {
  if (name === '' || !text.includes(name)) return text;
  const signs = Array.from(text.replaceAll(name, ' '));
  const isWord = (sign: string) => /[\p{L}\p{N}]/u.test(sign);
  return signs.slice(signs.findIndex(isWord), signs.findLastIndex(isWord) + 1).join('');
}

const linesOf = (text: string | null) => (text === null ? [] : text.split(/\r?\n/).slice(0, 40));

function factsOf({ facts }: ReceiptView, words: Words): (Labelled & { isLong: boolean })[] {
  const shown: [string, string | null][] = [
    [words.receiptNumber, facts.receiptNumber],
    [words.orderNumber, facts.orderNumber],
    [words.originalOrder, facts.originalOrderNumber],
    [words.customer, facts.customerName],
    [words.staff, facts.staffName],
    [words.terminal, facts.terminalName],
    [words.saleReference, facts.saleReference && shortReference(facts.saleReference)],
  ];
  return shown.flatMap(([label, value]) => (value === null ? [] : [{ label, value, isLong: value.length > halfLine }]));
}

/** Of a UUID its first part: enough to find a sale, short enough to be read out. */
const shortReference = (reference: string) =>
  /^([0-9a-f]{8})-[0-9a-f-]{27}$/i.exec(reference)?.[1]?.toUpperCase() ?? reference;

function printedFiscal({ fiscal, locale }: ReceiptView, { words }: ReceiptWriter) {
  if (fiscal === null) return null;
  const asWord = (value: string | boolean) => (typeof value === 'string' ? value : value ? words.yes : words.no);
  const lines = fiscal.lines.map(({ key, value }) => ({ label: codeInWords(locale, key), value: asWord(value) }));
  return { lines, code: drawn(fiscal.code, 'best') };
}

const drawn = (text: string | null, mask: Mask) => (text === null ? null : (squaresOf(text, mask) ?? null));

function codeOf({ code }: ReceiptView) {
  const squares = code && drawn(code.url, 'quick');
  return code && squares ? { ...squares, ...code } : null;
}

/** The code that the returns desk scans: the order of the goods. */
function barsFor({ facts }: ReceiptView) {
  const number = facts.orderNumber ?? facts.originalOrderNumber;
  const bars = number === null ? undefined : barsOf(number);
  return bars ? { ...bars, text: number } : null;
}
