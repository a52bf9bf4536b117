import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import type { PrintedReceipt } from './printed-receipt.ts';

/** Mail programs cut the HTML of a mail off at about 102,000 bytes; what they cut off is the end, where the total is. */
export const maxMailBytes = 95_000;

/** How much of a receipt a short mail has. The page and the PDF have all of it. */
interface Shortness {
  /** Characters of a name, an option or a note. */
  maxText: number;
  /** Rows of a list, other than the items. */
  maxRows: number;
}

const usual: Shortness = { maxText: 120, maxRows: 20 };
/** Where the receipt is too long without any item. */
const most: Shortness = { maxText: 60, maxRows: 5 };

export interface MailParts {
  view: ReceiptView;
  print: (view: ReceiptView) => PrintedReceipt;
  write: (printed: PrintedReceipt, isShort: boolean) => string;
}

/**
 * The mail of a receipt that is short enough for every mail program: whole, or with the totals before as many items as
 * fit. The number of items that are not listed is a row of it.
 */
export function mailThatFits({ view, print, write }: MailParts): {
  html: string;
  printed: PrintedReceipt;
  isShort: boolean;
} {
  const whole = print(view);
  const html = write(whole, false);
  if (fits(html)) return { html, printed: whole, isShort: false };
  const withItems = (count: number, shortness: Shortness) => {
    const left = view.items.length - count;
    const printed = print({ ...view, items: view.items.slice(0, count), itemsLeftOut: view.itemsLeftOut + left });
    const short = shortened(printed, shortness);
    return { html: write(short, true), printed: short, isShort: true };
  };
  let [fitting, tooMany] = [0, view.items.length + 1];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(withItems(middle, usual).html)) fitting = middle;
    else tooMany = middle;
  }
  const found = withItems(fitting, usual);
  return fits(found.html) ? found : withItems(0, most);
}

const fits = (html: string) => Buffer.byteLength(html) <= maxMailBytes;

const shortened = (printed: PrintedReceipt, shortness: Shortness): PrintedReceipt => {
  const cut = <Value>(value: Value): Value => cutIn(value, shortness);
  return {
    ...printed,
    items: printed.items.map((item) => cut(item)),
    shipments: cut(printed.shipments),
    fiscal: cut(printed.fiscal),
    payments: cut(printed.payments),
    credits: cut(printed.credits),
    totals: cut(printed.totals),
    facts: cut(printed.facts),
    shop: { ...printed.shop, header: cut(printed.shop.header), footer: cut(printed.shop.footer) },
  };
};

/** Texts and lists of a value, at any depth, cut off. */
function cutIn<Value>(value: Value, shortness: Shortness): Value;
function cutIn(value: unknown, shortness: Shortness): unknown {
  if (typeof value === 'string') return cutText(value, shortness.maxText);
  if (Array.isArray(value)) return value.slice(0, shortness.maxRows).map((one) => cutIn(one, shortness));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutIn(inner, shortness)]));
}

/** By whole letters. */
function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${Array.from(text).slice(0, max).join('').trimEnd()}…`;
}
