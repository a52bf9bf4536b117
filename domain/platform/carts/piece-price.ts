import { amount, zero, type Amount } from '../../money/amount.ts';
import { scaleUnits, wholeInPercent } from '../../money/fixed-point.ts';
import type { OptionPrice } from '../catalog/custom-option.ts';
import { chosenParts, type WithOptions } from '../catalog/option-figures.ts';
import { priceOf } from './cart-price.ts';
import { highestRow, worthTooMuch } from './cart-totals.ts';

/**
 * What one piece costs with its custom options (platform facts 9.1, 11). Percentages are of the price that the piece has
 * for this buyer; together they are rounded once, to a coin. Never below zero.
 *
 * Refused with: 400 a price beyond what can be counted exactly.
 */
export function priceOfPiece(goods: Parameters<typeof priceOf>[0] & WithOptions, buyer: Parameters<typeof priceOf>[1]) {
  const price = priceOf(goods, buyer);
  const parts = chosenParts(goods).map(({ part }) => part);
  if (parts.length === 0) return price;
  const percent = sumOf(parts, 'percent');
  return counted(price + sumOf(parts, 'fixed') + scaleUnits(price, percent, wholeInPercent, buyer.coin));
}

/** A plain sum: a thousand dear values may be more than an amount can be. */
const sumOf = (parts: readonly OptionPrice[], type: OptionPrice['priceType']) =>
  parts.reduce((sum, part) => (part.priceType === type ? sum + part.price : sum), 0);

function counted(price: number): Amount {
  if (Math.abs(price) > highestRow) throw worthTooMuch();
  return price > zero ? amount(price) : zero;
}
