import { negate, type Amount } from '../../domain/money/amount.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { besideIn, type Beside } from '../../domain/beside.ts';
import { formatsOf, type Formats } from './formats.ts';
import { wordsOf } from './words.ts';
import type { Words } from './english.ts';

/** What the parts of a receipt need to write texts. */
export interface ReceiptWriter {
  formats: Formats;
  words: Words;
  /** Joins texts of several sources. */
  beside: Beside;
}

export const receiptWriterOf = (view: Pick<ReceiptView, 'locale' | 'currency' | 'timeZone'>): ReceiptWriter => {
  const formats = formatsOf(view);
  return { formats, words: wordsOf(formats.language), beside: besideIn(formats.direction) };
};

export interface Labelled {
  label: string;
  value: string;
}

/** An amount that is subtracted. */
export const asSubtracted = (value: Amount) => (value > 0 ? negate(value) : value);
