import { expect, test } from 'vitest';
import { returnDetails } from '../../../workflows/returns/return-details.ts';

type Shown = Parameters<typeof returnDetails>[0];

const aSnapshot = (wanted: Partial<Shown>): Shown => ({
  returnId: 42,
  incrementId: '000000042',
  orderId: 9,
  orderIncrementId: '000000009',
  status: 'pending',
  isReady: true,
  refundMethod: null,
  attemptId: null,
  amount: null,
  ...wanted,
});

const quiet = { status: 'pending', attemptId: null, lastRefusal: null, lastAskedBy: null };

test('a return whose creation is refused each time is not said to go on by itself: its reason and the way out are', () => {
  const details = returnDetails(aSnapshot({ isReady: false }), quiet);

  expect(details).toMatch(
    /If its history says why it is held, fix that, or close it: `POST \/V1\/pos\/rma\/42\/close`/,
  );
  expect(details).not.toContain('by itself');
});

test('a parked return says how much it waits to give back and how, and who asked last', () => {
  const parked = aSnapshot({ status: 'awaiting_refund', refundMethod: 'cash', amount: '54.00 USD' });

  const details = returnDetails(parked, { ...quiet, lastAskedBy: 'Front register' });

  expect(details).toContain('- 54.00 USD is to go back by `cash`, before goodwill and fees.');
  expect(details).toContain('Last asked by: Front register');
});

test('a return that is over says no amount: nothing more goes back', () => {
  const over = aSnapshot({ status: 'closed', refundMethod: 'cash', amount: '54.00 USD' });

  expect(returnDetails(over, quiet)).not.toContain('54.00');
});

test('a return with an undecided refund names its attempt, and where to resolve it', () => {
  const details = returnDetails(aSnapshot({ status: 'awaiting_refund', attemptId: 7 }), quiet);

  expect(details).toContain('`refund-attempt-7`');
});
