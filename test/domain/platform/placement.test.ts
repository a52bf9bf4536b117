import { expect, test } from 'vitest';
import { money, type Amount } from '../../../domain/money/amount.ts';
import { none, pieces } from '../../../domain/money/quantity.ts';
import { firstOverwritten, isBooked } from '../../../domain/platform/booked-figures.ts';
import { isLayaway, layawayStart, paidAtPlacement, startOf, toPromise } from '../../../domain/platform/placement.ts';
import { isInStock, salableQuantity } from '../../../domain/platform/salable-quantity.ts';
import { inCents } from '../../support/coins.ts';

const paid = (over: { totalPaid?: Amount; baseTotalPaid?: Amount; grandTotal?: Amount; baseGrandTotal?: Amount }) =>
  paidAtPlacement({
    coins: inCents,
    grandTotal: money('136'),
    baseGrandTotal: money('100'),
    totalPaid: undefined,
    baseTotalPaid: undefined,
    ...over,
  });

test.each([
  ['nothing is said', {}, '0', '0'],
  ['both are said', { totalPaid: money('136'), baseTotalPaid: money('100') }, '136', '100'],
  ['only the order’s currency is', { totalPaid: money('68') }, '68', '50'],
  ['only the base currency is', { baseTotalPaid: money('50') }, '68', '50'],
  ['an order of nothing', { totalPaid: money('0'), grandTotal: money('0'), baseGrandTotal: money('0') }, '0', '0'],
] as const)('what is paid at placement when %s', (_case, over, amount, baseAmount) => {
  expect(paid(over)).toEqual({ amount: money(amount), baseAmount: money(baseAmount) });
});

test.each([
  ['more than the order is worth', { totalPaid: money('136.01') }, 'total_paid', 136.01],
  ['less than nothing', { totalPaid: money('-1') }, 'total_paid', -1],
  ['more in the base currency', { totalPaid: money('1'), baseTotalPaid: money('101') }, 'base_total_paid', 101],
] as const)('%s cannot be paid', (_case, over, fieldName, value) => {
  expect(() => paid(over)).toThrow(
    expect.objectContaining({
      status: 400,
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      parameters: { fieldName, value },
    }),
  );
});

test.each([
  [undefined, undefined, 'new', 'pending'],
  ['processing', undefined, 'processing', 'processing'],
  ['processing', 'my_own', 'processing', 'my_own'],
  [undefined, 'canceled', 'canceled', 'canceled'],
  [undefined, 'my_own', 'new', 'my_own'],
] as const)('an order posted as %s with status %s starts as %s, %s', (state, status, startState, startStatus) => {
  expect(startOf(state, status)).toEqual({ state: startState, status: startStatus });
});

test.each([
  ['pending_payment', 'open', true],
  ['pending_payment', 'ready_to_settle', true],
  ['pending_payment', 'cancelled', false],
  ['pending_payment', undefined, false],
  ['pending_payment', '', false],
  ['new', 'open', false],
] as const)('%s with layaway status %s is a layaway: %s', (state, status, expected) => {
  expect(isLayaway(state, status)).toBe(expected);
});

test('what was handed over before it was posted is not promised again', () => {
  expect(toPromise({ qtyOrdered: pieces(3) })).toBe(pieces(3));
  expect(toPromise({ qtyOrdered: pieces(3), qtyShipped: pieces(2) })).toBe(pieces(1));
  expect(toPromise({ qtyOrdered: pieces(3), qtyShipped: pieces(3), qtyCanceled: pieces(1) })).toBe(none);
});

test.each([
  ['totalInvoiced', true],
  ['baseTaxRefunded', true],
  ['subtotalCanceled', true],
  ['baseTotalInvoicedCost', true],
  ['qtyShipped', true],
  ['qtyReturned', true],
  ['adjustmentNegative', true],
  ['baseAdjustmentPositive', true],
  ['amountRefunded', true],
  ['grandTotal', false],
  ['qtyOrdered', false],
  ['totalPaid', false],
  ['status', false],
])('only documents write %s: %s', (property, expected) => {
  expect(isBooked(property)).toBe(expected);
});

test('sending a booked figure again is fine, another value is found', () => {
  const stored = { totalInvoiced: money('108'), status: 'processing' };
  expect(firstOverwritten(stored, { totalInvoiced: money('108'), status: 'holded' })).toBeUndefined();
  expect(firstOverwritten(stored, { totalInvoiced: undefined })).toBeUndefined();
  expect(firstOverwritten(stored, { totalInvoiced: money('1') })).toEqual(['totalInvoiced', money('1')]);
});

const at = (count: number, isHere = true) => ({ quantity: pieces(count), isInStock: isHere });

test.each([
  ['everything that lies there', [at(10), at(5)], 0, 0, 15],
  ['less what is promised', [at(10)], -3, 0, 7],
  ['less what must stay', [at(10)], -3, 2, 5],
  ['below nothing when more is promised than lies there', [at(1)], -3, 0, -2],
  ['only of sources that have it in stock', [at(10), at(5, false)], 0, 0, 10],
  ['nothing when no source has', [at(5, false)], -1, 0, 0],
  ['nothing when it lies nowhere', [], 0, 0, 0],
])('salable: %s', (_case, sources, reserved, minQty, expected) => {
  expect(salableQuantity(sources, pieces(reserved), pieces(minQty))).toBe(pieces(expected));
});

test.each([
  [1, 0, false, true],
  [0, 0, false, false],
  [2, 2, false, false],
  [3, 2, false, true],
  [0, 0, true, true],
])('%d left with %d to stay and backorders %s: in stock %s', (left, minQty, allowsBackorders, expected) => {
  expect(isInStock(pieces(left), { minQty: pieces(minQty), allowsBackorders })).toBe(expected);
});

test.each([
  ['its status, and no state', { posLayawayStatus: 'open' }, { state: 'pending_payment', status: 'pending_payment' }],
  [
    'its status, in the state of any sale',
    { state: 'new', status: 'pending', posLayawayStatus: 'open' },
    { state: 'pending_payment', status: 'pending_payment' },
  ],
  [
    'its status, and one of the shop’s own beside it',
    { state: 'new', status: 'my_own', posLayawayStatus: 'open' },
    { state: 'pending_payment', status: 'my_own' },
  ],
  ['its state and its status', { state: 'pending_payment', posLayawayStatus: 'open' }, {}],
  ['a deposit', { state: 'pending_payment', posLayawayDepositAmount: money('5') }, { posLayawayStatus: 'open' }],
  ['a balance', { state: 'pending_payment', posLayawayBalanceOwed: money('5') }, { posLayawayStatus: 'open' }],
  ['an expiry', { state: 'pending_payment', posLayawayExpiresAt: new Date(0) }, { posLayawayStatus: 'open' }],
  ['a way of payment', { state: 'pending_payment', posLayawayInitialPaymentMethod: 'c' }, { posLayawayStatus: 'open' }],
  ['nothing that counts', { state: 'pending_payment', posLayawayDepositAmount: money('0') }, {}],
  ['what only a layaway that waits may have', { state: 'new', posLayawayExpiresAt: new Date(0) }, {}],
  ['that it is over', { state: 'new', posLayawayStatus: 'cancelled' }, {}],
  ['that it is paid', { state: 'pending_payment', posLayawayStatus: 'ready_to_settle' }, { posLayawayStatus: 'open' }],
] as const)('an order posted with %s starts so', (_case, posted, expected) => {
  expect(layawayStart(posted)).toEqual(expected);
});
