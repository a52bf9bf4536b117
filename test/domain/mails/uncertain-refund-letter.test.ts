import { expect, test } from 'vitest';
import { uncertainRefundLetter } from '../../../domain/mails/uncertain-refund-letter.ts';
import { money } from '../../../domain/money/amount.ts';

const aQuestion = {
  attemptId: 7,
  reference: 'refund-attempt-7',
  orderIncrementId: '000000042',
  returnId: 3,
  paymentMethod: 'vendor_provider_a',
  amount: money('12.73'),
  currencyCode: 'USD',
  since: '2026-11-21T10:00:00Z',
  hours: 5,
  shop: 'High Street',
  lastWord: 'The gateway did not answer in time.',
  canLookUp: true,
  pageUrl: 'http://temporal.example/refund-attempt-7',
  opsUrl: 'https://shop.example/ops',
};

test('an operator reads what is known, what to check, and the exact ways on', () => {
  expect(uncertainRefundLetter(aQuestion)).toMatchInlineSnapshot(`
{
  "subject": "A refund of 12.73 USD is uncertain (order 000000042)",
  "text": "Since 2026-11-21T10:00:00Z it is not known whether the customer got 12.73 USD back.

Settle it: https://shop.example/ops

Shop:      High Street
Order:     000000042
Return:    3
Amount:    12.73 USD
Method:    vendor_provider_a
Answer:    The gateway did not answer in time.
Waits for: 5 h

Until this is known, nothing else is refunded there.

What to check: look for the reference refund-attempt-7 in the gateway's portal.

Then say what you saw, on that page or here:

  npm run --silent pos -- refunds resolve 7 refunded --staff "NAME" --note "TEXT"
  npm run --silent pos -- refunds resolve 7 not_refunded --staff "NAME" --note "TEXT"

Or ask the gateway again:

  npm run --silent pos -- refunds reconcile 7

Its page: http://temporal.example/refund-attempt-7

This mail comes at once, after four hours and after a day, until the question is answered.
",
}
`);
});

test('where the gateway cannot be asked, the letter does not say to ask it', () => {
  const { text } = uncertainRefundLetter({ ...aQuestion, canLookUp: false, returnId: null, pageUrl: null });
  expect(text).not.toMatch(/reconcile|Return:|Its page/);
  expect(text).toContain('This gateway cannot be asked: a person must find out.');
});
