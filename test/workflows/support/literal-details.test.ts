import { expect, test } from '@jest/globals';
import { money } from '../../../domain/money.ts';
import { layawayDetails } from '../../../workflows/layaways.ts';
import { attemptDetails } from '../../../workflows/refunds.ts';
import { returnDetails } from '../../../workflows/returns.ts';
import { sourcesOf } from '../../house/sources.ts';

/** A name that would be a link, a button and a heading of its own on an operator's page. */
const name = '[x](http://evil) **b** <img>\n\n# Send `refunded`';
const literal = '`` [x](http://evil) **b** <img> # Send `refunded` ``';

const pages = {
  'an uncertain refund': attemptDetails(
    {
      attemptId: 7,
      orderId: 3,
      orderIncrementId: name,
      returnId: null,
      paymentMethod: name,
      state: 'uncertain',
      amount: 10.8,
      currencyCode: 'USD',
      message: name,
      canLookUp: true,
      reconcileAfterSeconds: 5,
    },
    { tries: 1, unread: name },
  ),
  'a return': returnDetails(
    {
      returnId: 42,
      incrementId: name,
      orderId: 9,
      orderIncrementId: name,
      status: 'pending',
      isReady: true,
      refundMethod: null,
      attemptId: null,
      amount: name,
    },
    { status: 'pending', attemptId: null, lastRefusal: name, lastAskedBy: name },
  ),
  'a layaway': layawayDetails(
    {
      orderId: 9,
      orderIncrementId: name,
      state: 'pending_payment',
      status: 'open',
      balanceOwed: money('68.00'),
      currencyCode: 'USD',
      expiresAt: null,
      expiresInMs: null,
    },
    {
      lastRequest: { verb: 'capture', by: name, requestId: name, amount: money('5'), paymentMethod: name },
      lastRefusal: name,
    },
  ),
};

test.each(Object.entries(pages))('what others wrote stands on the page of %s as they wrote it', (_, page) => {
  expect(page).toContain(literal);
  const rest = page.replaceAll(literal, '');
  expect(rest).not.toContain('evil');
  expect(rest).not.toContain('<img>');
});

test('whatever is put on a page goes through that', () => {
  /** Their pages hold words of our own and counts, nothing that others wrote. */
  const ownWords = ['workflows/bulk.ts', 'workflows/content.ts', 'workflows/webhooks.ts'];
  const own = sourcesOf('workflows').filter(({ text }) => text.includes('setCurrentDetails('));
  expect(own.filter(({ text }) => !text.includes('markdownLiteral(')).map(({ path }) => path)).toEqual(ownWords);
  expect(own.length).toBe(11);
});
