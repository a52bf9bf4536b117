import { negate, type Amount } from '../../domain/money/amount.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { formatsOf, type Formats } from './formats.ts';
import { wordsOf, type Words } from './words.ts';

/** What the parts of a receipt need to write texts. */
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

/** An amount that is subtracted. */
export const lessened = (value: Amount) => (value > 0 ? negate(value) : value);
