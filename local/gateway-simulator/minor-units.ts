import { amount, type Amount } from '../../domain/money/amount.ts';
import { coinOf } from '../../domain/money/coins.ts';
import { inMinorUnits, minorText } from '../../domain/money/minor-units.ts';

/** 1261 cents of USD → 12.61. */
export const fromMinor = (minor: number, currency: string): Amount => amount(minor * coinOf(currency));

/** 12.61 USD → 1261. Undefined for an amount finer than the currency's smallest coin. */
export const toMinor = inMinorUnits;

/** `"12.61"` for USD, `"1261"` for JPY: how a processor writes an amount. It has no finer amounts. */
export const formatMinor = (value: Amount, currency: string): string =>
  minorText(Math.round(value / coinOf(currency)), currency);
