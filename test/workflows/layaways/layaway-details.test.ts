import { expect, test } from 'vitest';
import type { FollowedLayaway } from '../../../domain/layaways/followed-layaway.ts';
import { money, zero } from '../../../domain/money/amount.ts';
import { layawayDetails } from '../../../workflows/layaways/layaway-details.ts';

const aFollowedLayaway = (wanted: Partial<FollowedLayaway>): FollowedLayaway => ({
  orderId: 9,
  orderIncrementId: '000000009',
  state: 'pending_payment',
  status: 'open',
  balanceOwed: money('68'),
  currencyCode: 'USD',
  expiresAt: '2027-01-31T00:00:00.000Z',
  expiresInMs: 1_000,
  ...wanted,
});

const nothingYet = { lastRequest: null, lastRefusal: null };

test('who asked last is shown by the name of the token, as it was written', () => {
  const lastRequest = { verb: 'capture', by: 'till *3*', requestId: 'r-1', amount: money('40'), paymentMethod: 'cash' };

  expect(layawayDetails(aFollowedLayaway({}), { lastRequest, lastRefusal: null })).toContain(
    '- Last request: capture of $40.00 by cash, asked by `till *3*` (request r-1)',
  );
});

test('a layaway that owes something waits for payments until its day', () => {
  expect(layawayDetails(aFollowedLayaway({}), nothingYet)).toMatch(/\$68\.00 is owed\. It expires at 2027-01-31/);
});

test.each(['open', 'stale'] as const)(
  'a layaway that is %s and owes nothing waits for no payment, is not cancelled and never expires',
  (status) => {
    const details = layawayDetails(aFollowedLayaway({ status, state: 'processing', balanceOwed: zero }), nothingYet);

    expect(details).toContain('Paid in full, so it never expires and cannot be cancelled: its goods must be');
    expect(details).not.toMatch(/is owed|owed:|expires at|\/cancel`|\/payments`/);
  },
);

test('one that is paid and has its invoice open waits to be settled, whatever its status says', () => {
  expect(layawayDetails(aFollowedLayaway({ balanceOwed: zero }), nothingYet)).toContain('Waits to be settled');
});
