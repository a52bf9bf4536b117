import { readDayAndTime } from '../../calendar-day.ts';
import { findCountry } from '../directory/countries.ts';
import { isEmptyValue } from './demanded-values.ts';

/** Choices that the platform itself makes; those of a tax class and of countries are elsewhere. */
const ownChoices: Readonly<Record<string, readonly string[]>> = {
  status: ['0', '1', '2'],
  visibility: ['1', '2', '3', '4'],
  gift_message_available: ['0', '1', '2'],
};

/** Lists that the platform counts among its texts. */
const listed: ReadonlySet<string> = new Set(['category_ids', 'tier_price', 'sku']);

/** Codes of numbers that a scanner reads. Excel cuts a long one off: `1.23457E+12` is no number that it reads. */
const scanned = /(?:^|_)(?:barcode|ean|gtin|upc|isbn)(?:_|\d|$)/;
const cutOff = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i;

/** Whether a spreadsheet cut off the digits of such a number. */
export const isCutOff = (code: string, text: string): boolean => scanned.test(code) && cutOff.test(text.trim());

/** As many digits before the point as a price can have. */
const price = /^\s*\d{1,11}(?:\.\d{1,60})?\s*$/;

/**
 * A value as its attribute keeps it (platform facts 9.1). Nothing is a value of every attribute.
 *
 * @returns undefined: it cannot be read, so it means nothing
 */
export function typedValue({ code, input }: { code: string; input: string }, value: unknown): unknown {
  if (isEmptyValue(value)) return value;
  const choices = ownChoices[code];
  if (choices) return choices.includes(textOf(value) ?? '') ? value : undefined;
  if (code === 'country_of_manufacture') return findCountry(textOf(value) ?? '') ? value : undefined;
  switch (input) {
    case 'date':
    case 'datetime':
      return readDayAndTime(textOf(value)?.trim() ?? '');
    case 'boolean':
      return readFlag(textOf(value)?.trim().toLowerCase());
    case 'price':
    case 'weight':
      return price.test(textOf(value) ?? '') ? value : undefined;
    case 'text':
    case 'textarea':
    case 'texteditor':
      if (typeof value === 'object') return listed.has(code) ? value : undefined;
      return isCutOff(code, textOf(value) ?? '') ? undefined : value;
    default:
      return value;
  }
}

function readFlag(text: string | undefined): string | undefined {
  if (text === '1' || text === 'true' || text === 'yes') return '1';
  return text === '0' || text === 'false' || text === 'no' ? '0' : undefined;
}

/** Undefined for a list or an object. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
