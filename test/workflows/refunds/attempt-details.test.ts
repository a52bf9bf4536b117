import { expect, test } from 'vitest';
import { attemptDetails, type AttemptView } from '../../../workflows/refunds/attempt-details.ts';

const view: AttemptView = {
  attemptId: 7,
  orderId: 3,
  orderIncrementId: '000000003',
  returnId: 5,
  paymentMethod: 'provider_a',
  state: 'uncertain',
  amount: 10.8,
  currencyCode: 'USD',
  message: null,
  canLookUp: true,
  reconcileAfterSeconds: 5,
};

test.each([
  { amount: 10.8, currencyCode: 'USD', shown: '10.80 USD' },
  { amount: 1080, currencyCode: 'JPY', shown: '1080 JPY' },
  { amount: 1.25, currencyCode: 'KWD', shown: '1.250 KWD' },
])('an operator reads $shown where the gateway’s portal shows it so', ({ shown, ...given }) => {
  expect(attemptDetails({ ...view, ...given }, { tries: 1 })).toContain(
    `Did the customer get **${shown}** for order 000000003`,
  );
});

test('a gateway that keeps nothing is not offered to be asked again', () => {
  const page = attemptDetails({ ...view, canLookUp: false }, { tries: 0 });
  expect(page).toContain('a person must find out');
  expect(page).not.toContain('refunds reconcile');
});

test('where the gateway said yes and the books refused, the page says so and asks no question', () => {
  const message = 'The gateway refunded, but the credit memo was refused: the order is on hold.';
  const page = attemptDetails({ ...view, message, isUnbooked: true }, { tries: 1 });
  expect(page).toContain('The gateway gave **10.80 USD** for order 000000003 (provider_a) back, and it is not booked');
  expect(page).toContain(message);
  expect(page).not.toContain('has not said');
});

test('an answer that could not be read is shown, and how it is given', () => {
  const page = attemptDetails(view, { tries: 0, unread: '"Refunded"' });
  expect(page).toContain('Your answer was not understood, so nothing happened: "Refunded"');
  expect(page).toContain('*Send an Update* → `resolve` → `{"resolution":"refunded"');
  expect(attemptDetails(view, { tries: 0 })).not.toContain('not understood');
});
