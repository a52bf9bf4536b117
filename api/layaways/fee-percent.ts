import { isFeePercent, wrongFeePercent } from '../../domain/layaways/cancellation.ts';
import { parseUnits } from '../../domain/money/fixed-point.ts';
import { readRounded } from '../wire/read-number.ts';
import { scalar } from '../wire/scalar.ts';

/** Enough digits for any division of a register. */
const decimal = /^[+-]?\d{1,15}(?:\.\d{1,40})?(?:e-\d{1,3})?$/i;

/** A percentage as sent: its bounds are checked before it is rounded. */
export const feePercent = scalar<string, number>({
  type: 'float',
  read: (given) => {
    const written = typeof given === 'number' ? String(given) : given;
    return typeof written === 'string' && decimal.test(written) ? written : undefined;
  },
  write: Number,
  json: { type: 'number', minimum: 0, maximum: 100 },
});

/** In 1/10 000 of a percent. Refused with 400: outside 0..100, by however little. */
export function feeUnits(written: string): number {
  const percent = Number(written);
  const units = isFeePercent(percent) ? parseUnits(readRounded(percent, 4) ?? '') : undefined;
  if (units === undefined) throw wrongFeePercent();
  return units;
}
