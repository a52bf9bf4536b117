import { expect, test } from 'vitest';
import { refundLetter } from '../../../domain/mails/refund-letter.ts';
import { mailsCustomer } from '../../../domain/mails/mails-customer.ts';
import { money, zero } from '../../../domain/money/amount.ts';
import { settleMethods } from '../../../domain/returns/refund-method.ts';

const aRefund = {
  locale: 'en_US',
  shopName: 'Paper Lantern',
  orderIncrementId: '000000042',
  memoIncrementId: '000000007',
  method: 'original_payment',
  currencyCode: 'USD',
  total: money('54'),
  legs: [],
} as const;

test('a refund to the card says so', () => {
  expect(refundLetter(aRefund)).toMatchInlineSnapshot(`
{
  "subject": "Your refund for order 000000042",
  "text": "Hello,

we have refunded 54.00 USD for your order 000000042:

- 54.00 USD to the card you paid with; your bank may take some days to show it

The number of your credit memo is 000000007.

Paper Lantern
",
}
`);
});

test('what came back to credits is told leg by leg, and only the rest as money', () => {
  const { text } = refundLetter({
    ...aRefund,
    method: 'terminal',
    legs: [
      { kind: 'store_credit', amount: money('10'), points: null },
      { kind: 'gift_card', amount: money('4.5'), points: null },
      { kind: 'reward_points', amount: money('2'), points: 200 },
      { kind: 'reward_points', amount: zero, points: 1 },
    ],
  });
  expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- 37.50 USD to your card, at the terminal in the shop',
    '- 10.00 USD back to your store credit',
    '- 4.50 USD back to your gift card',
    '- 2.00 USD (200 points) back to your reward points',
    '- 1 point back to your reward points',
  ]);
});

test('a refund that was all credit names no money', () => {
  const { text } = refundLetter({
    ...aRefund,
    currencyCode: 'JPY',
    legs: [{ kind: 'gift_card', amount: money('54'), points: null }],
  });
  expect(text).toContain('\n- 54 JPY back to your gift card\n\n');
});

test.each(settleMethods.map((method) => [method, ['original_payment', 'store_credit', 'terminal'].includes(method)]))(
  '%s is told by mail: %s',
  (method, isMailed) => {
    expect(mailsCustomer(method as (typeof settleMethods)[number], { notifyCustomer: true })).toBe(isMailed);
    expect(mailsCustomer(method as (typeof settleMethods)[number], { notifyCustomer: false })).toBe(false);
  },
);
