import { toWire, type Amount } from '../../domain/money/amount.ts';
import { unitsPerWhole } from '../../domain/money/fixed-point.ts';
import type { Quantity } from '../../domain/money/quantity.ts';

/** How a receipt writes money, counts and dates: by the locale, with `Intl`. */
export interface Formats {
  /** The value of the page's `lang` attribute: `de`. */
  language: string;
  direction: 'ltr' | 'rtl';
  money: (value: Amount) => string;
  /** Of goods or points. */
  count: (value: Quantity | Amount) => string;
  percent: (text: string) => string;
  moment: (value: Date) => string;
  day: (value: Date) => string;
  /** The name of a code of two letters; any other text is a name already. */
  country: (text: string) => string;
}

/** Kept per combination: making the formats costs more than a whole receipt. */
const known = new Map<string, Formats>();
/** More than any shop needs; beyond it formats are made each time. */
const mostKnown = 100;

/** An unknown locale, currency or time zone is ignored, so that a receipt can always be shown. */
export function formatsOf(of: { locale: string; currency: string | null; timeZone: string }): Formats {
  const key = `${of.locale} ${of.currency} ${of.timeZone}`;
  const found = known.get(key);
  if (found) return found;
  const made = makeFormats(localeOf(of.locale), currencyOf(of.currency), zoneOf(of.timeZone));
  if (known.size < mostKnown) known.set(key, made);
  return made;
}

function makeFormats(locale: Intl.Locale, currency: string | null, timeZone: string): Formats {
  const tag = locale.toString();
  const plain = new Intl.NumberFormat(tag, { maximumFractionDigits: 4 });
  const price = (fine: boolean) =>
    currency === null
      ? new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: fine ? 4 : 2 })
      : new Intl.NumberFormat(tag, { style: 'currency', currency, ...(fine ? { maximumFractionDigits: 4 } : {}) });
  const [coins, fine] = [price(false), price(true)];
  const digits = coins.resolvedOptions().maximumFractionDigits ?? 2;
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone });
  const share = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 4 });
  return {
    language: tag,
    direction: directionOf(tag),
    // A price finer than the currency's coin is shown with all its decimals.
    money: remembered((value) => (value % 10 ** (4 - digits) === 0 ? coins : fine).format(toWire(value))),
    count: (value) => plain.format(value / unitsPerWhole),
    percent: (text) => share.format(Number(text) / 100),
    moment: (value) => moment.format(value),
    day: (value) => day.format(value),
    country: countriesIn(tag),
  };
}

/** Few receipts name a country, and the names take long to load: they are loaded with the first one, and kept. */
function countriesIn(tag: string): (text: string) => string {
  let names: Intl.DisplayNames | undefined;
  return (text) => {
    if (!/^[A-Z]{2}$/.test(text)) return text;
    names ??= new Intl.DisplayNames(tag, { type: 'region' });
    return names.of(text) ?? text;
  };
}

/** The most amounts whose texts are kept: the prices of a shop's goods come again and again. */
const mostAmounts = 1_000;

function remembered(write: (value: Amount) => string): (value: Amount) => string {
  const texts = new Map<Amount, string>();
  return (value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    if (texts.size >= mostAmounts) texts.clear();
    const text = write(value);
    texts.set(value, text);
    return text;
  };
}

function localeOf(text: string): Intl.Locale {
  try {
    return new Intl.Locale(text.replaceAll('_', '-'));
  } catch {
    return new Intl.Locale('en-US');
  }
}

function currencyOf(code: string | null): string | null {
  return code !== null && /^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : null;
}

function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** Scripts written from right to left. */
const rightToLeft = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm'];
export const directionOf = (tag: string) =>
  rightToLeft.includes(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';
