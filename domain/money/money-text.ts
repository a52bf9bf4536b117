import { toWire, type Amount } from './amount.ts';
import { currencyFormat } from './currency-format.ts';

/** Money as people read it in a message or a history: `$10.00`, `CA$13.60`. Only for display. */
export const moneyText = (value: Amount, currencyCode: string): string =>
  currencyFormat(currencyCode).format(toWire(value));
