import { negate, type Amount } from '../../domain/money/amount.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { formatsOf, type Formats } from './formats.ts';
import { wordsOf, type Words } from './words.ts';

/** What the parts of a receipt are written with. */
export interface Pen {
  formats: Formats;
  words: Words;
}

export const penOf = (view: Pick<ReceiptView, 'locale' | 'currency' | 'timeZone'>): Pen => {
  const formats = formatsOf(view);
  return { formats, words: wordsOf(formats.language) };
};

export interface Labelled {
  label: string;
  value: string;
}

/** A sum that is taken off. */
export const lessened = (value: Amount) => (value > 0 ? negate(value) : value);
