import { toWire, zero, amount, type Amount } from '../../domain/money.ts';
import { readUnits } from './criteria.ts';
import { scalar } from './scalar.ts';

const decimal = /^[+-]?\d{1,20}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?$/i;
/** Half of 1/10 000: smaller amounts count as zero. */
const nothingBelow = 0.000_05;

/**
 * An amount to move: at most four decimals, no exponent. An amount that would round to zero counts as zero, so that
 * it is refused as "not above zero" in the verb's own words.
 */
export const movedMoney = scalar<Amount, number>({
  type: 'float',
  read: readMovedMoney,
  write: toWire,
  json: { type: 'number' },
});

function readMovedMoney(input: unknown): Amount | undefined {
  const units = readUnits(input);
  if (units !== undefined) return amount(units);
  const written = typeof input === 'number' ? String(input) : input;
  const isNothing = typeof written === 'string' && decimal.test(written) && Math.abs(Number(written)) < nothingBelow;
  return isNothing ? zero : undefined;
}
