import type { Amount } from '../../domain/money/amount.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { barsOf } from './bars.ts';
import { codeInWords } from './code-words.ts';
import type { Formats } from './formats.ts';
import { receiptWriterOf, type Labelled, type ReceiptWriter } from './receipt-writer.ts';
import { printedLayaway } from './printed-layaway.ts';
import { printedItems, printedShipments } from './printed-items.ts';
import { printedPayments } from './printed-payments.ts';
import { printedTotals } from './printed-totals.ts';
import { squaresOf, type Mask } from './squares.ts';
import { unsignedRefund } from './unsigned-refund.ts';
import type { Words } from './english.ts';

/** A receipt in the form its templates need: only texts, written by its locale. */
export type PrintedReceipt = ReturnType<typeof printReceipt>;

/** @param logo the logo's address: one of our paths, or the picture itself in a document without a network */
export function printReceipt(given: ReceiptView, { logo }: { logo: string | null }) {
  const view = unsignedRefund(given);
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
  const said = (value: string | boolean) => (typeof value === 'string' ? value : value ? words.yes : words.no);
  const lines = fiscal.lines.map(({ key, value }) => ({ label: codeInWords(locale, key), value: said(value) }));
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
