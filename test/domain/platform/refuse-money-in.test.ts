import { expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import { orderStates } from '../../../domain/platform/order-state.ts';
import { refuseMoneyIn, takesMoney } from '../../../domain/platform/refuse-money-in.ts';
import { refuseReopening } from '../../../domain/platform/refuse-reopening.ts';
import { refuseUnpaidLayaway } from '../../../domain/platform/refuse-unpaid-layaway.ts';

test.each(orderStates)('an order that is %s takes money, unless it is over', (state) => {
  const isOver = state === 'canceled' || state === 'closed';
  expect(takesMoney({ state })).toBe(!isOver);
  if (isOver) expect(() => refuseMoneyIn({ state })).toThrow(/is over/);
  else refuseMoneyIn({ state });
});

test('a cancelled layaway takes no money, also where its order lives on', () => {
  expect(() => refuseMoneyIn({ state: 'processing', posLayawayStatus: 'cancelled' })).toThrow(
    'The layaway is cancelled',
  );
  refuseMoneyIn({ state: 'processing', posLayawayStatus: 'open' });
});

test.each(orderStates)('a cancelled order is not saved as %s, and every other order may be', (state) => {
  if (state === 'canceled') refuseReopening('canceled', state);
  else expect(() => refuseReopening('canceled', state)).toThrow('cannot be opened again');
  for (const stored of orderStates) if (stored !== 'canceled') refuseReopening(stored, state);
  refuseReopening('canceled', undefined);
});

test.each([
  ['open', '108', '107.99', true],
  ['stale', '108', '0', true],
  ['ready_to_settle', '108', '107.99', true],
  ['ready_to_settle', '108', '108', false],
  ['open', '108.0040', '108', false],
  [null, '108', '0', false],
])('the invoice of an order whose layaway is %s, of %s, with %s paid, waits: %s', (status, total, paid, waits) => {
  const layaway = {
    posLayawayStatus: status,
    grandTotal: money(total),
    totalPaid: money(paid),
    orderCurrencyCode: 'USD',
  };
  if (waits) expect(() => refuseUnpaidLayaway(layaway)).toThrow('The layaway still owes');
  else refuseUnpaidLayaway(layaway);
});
