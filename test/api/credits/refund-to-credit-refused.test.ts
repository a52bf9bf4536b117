import { describe, expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import { findGiftCard } from '../../../db/gift-cards/find-gift-card.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce } from '../../support/rivals.ts';
import {
  opensACreditDesk,
  api,
  refund,
  asked,
  aRefundedSale,
  walletOf,
  refundsOf,
  booksHold,
} from './a-credit-desk.ts';

opensACreditDesk();

const { fork } = booksOf(() => api.orm);

/** As a register does: a shop that is too busy for it has done nothing, and is asked again in a moment. */
async function refundUntilTaken(...given: Parameters<typeof refund>): ReturnType<typeof refund> {
  const answer = await refund(...given);
  return answer.status === 503 ? refundUntilTaken(...given) : answer;
}

describe('at most what was refunded', () => {
  test('all calls together', async () => {
    const { orderId, customerId } = await aRefundedSale();
    expect((await refund(asked(orderId, { amount: 50 }))).body.success).toBe(true);
    expect((await refund(asked(orderId, { amount: 4.01 }))).body).toEqual({
      success: false,
      amount_applied: 0,
      remaining_balance: null,
      transaction_id: null,
      error_message: 'The amount 4.01 exceeds the remaining refundable amount 4.',
    });
    expect((await refund(asked(orderId, { amount: 4 }))).body.success).toBe(true);
    expect(await walletOf(customerId)).toBe(54);
  });

  test('counted in cents, however small the parts', async () => {
    const { orderId, customerId } = await aRefundedSale();
    expect((await refund(asked(orderId, { amount: 1.005 }))).body).toMatchObject({
      success: true,
      amount_applied: 1.01,
    });
    await refund(asked(orderId, { amount: 52.98 }));
    const parts = await atOnce(5, () => refund(asked(orderId, { amount: 0.005 })));
    expect(parts.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await walletOf(customerId)).toBe(54);
    await booksHold();
  });

  test('in the base currency too: what rounds up each time gains nothing all together', async () => {
    const { orderId, customerId } = await aRefundedSale({ rate: '1.36', currency: 'CAD', storeId: 2 });
    await refund(asked(orderId, { amount: 73.37 }));
    for (let n = 0; n < 7; n++) await refund(asked(orderId, { amount: 0.01 }));
    expect(await walletOf(customerId)).toBe(54);
    await booksHold();
  });

  test('not for the number on a receipt, which is another order as an id', async () => {
    const { orderId, customerId } = await aRefundedSale();
    const printed = await refund(asked(`0${orderId}`, { customerId }));
    expect(printed.body).toMatchObject({ success: false, error_message: expect.stringContaining("doesn't exist") });
    expect(await refundsOf(orderId)).toEqual([]);
  });

  test('nothing before anything was refunded', async () => {
    const { orderId } = await anOrder(fork(), { customerId: await aCustomer(fork()) });
    expect((await refund(asked(orderId))).body).toMatchObject({ success: false });
    expect(await refundsOf(orderId)).toEqual([]);
  });

  test.each([2, 8, 50])('with %i at once', async (count) => {
    const { orderId, customerId } = await aRefundedSale();
    const answers = await atOnce(count, () => refundUntilTaken(asked(orderId, { amount: 30 })));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await walletOf(customerId)).toBe(30);
    await booksHold();
  });

  test.each([2, 8, 50])('the same request %i times at once is one refund', async (count) => {
    const { orderId, customerId } = await aRefundedSale();
    const answers = await atOnce(count, () => refundUntilTaken(asked(orderId), `once-${count}`));
    expect(new Set(answers.map(({ body }) => body.transaction_id)).size).toBe(1);
    expect(answers.every(({ body }) => body.success)).toBe(true);
    expect(await walletOf(customerId)).toBe(10);
  });
});

test('the same request id for another refund is refused', async () => {
  const { orderId } = await aRefundedSale();
  await refund(asked(orderId), 'mine');
  expect((await refund(asked(orderId, { amount: 11 }), 'mine')).body).toMatchObject({ success: false });
});

test('the same request id for another card or another customer is refused, and says nothing went there', async () => {
  const { orderId } = await aRefundedSale();
  const [card, another] = [await aGiftCard(fork(), { amount: '5' }), await aGiftCard(fork(), { amount: '5' })];
  const toCard = (code: string) => asked(orderId, { creditType: 'gift_card', code });
  expect((await refund(toCard(card), 'a-card')).body).toMatchObject({ success: true, remaining_balance: 15 });
  expect((await refund(toCard(another), 'a-card')).body).toMatchObject({ success: false, amount_applied: 0 });
  expect((await findGiftCard(fork(), another))?.balance).toBe(money('5'));
  await refund(asked(orderId), 'a-wallet');
  const somebodyElse = asked(orderId, { customerId: await aCustomer(fork()) });
  expect((await refund(somebodyElse, 'a-wallet')).body).toMatchObject({ success: false, amount_applied: 0 });
});

test.each([
  ['an unknown order', { orderId: '999999' }],
  ['an order id with words', { orderId: 'abc' }],
  ['an order id with spaces', { orderId: ' 1 ' }],
  ['no order', { orderId: null }],
  ['an order id beyond all', { orderId: '99999999999999999999' }],
  ['a kind nobody provides', { creditType: 'magic' }],
  ['a provider there is not', { provider: 'nobody' }],
  ['nothing', { amount: 0 }],
  ['less than nothing', { amount: -1 }],
  ['a part of a hundredth of a cent', { amount: 0.00001 }],
  ['far too much', { amount: 1e20 }],
  ['no amount', { amount: null }],
  ['a word', { amount: 'NaN' }],
  ['a list', { amount: [10] }],
  ['a card without a code', { creditType: 'gift_card' }],
  ['an unknown card', { creditType: 'gift_card', code: 'NOBODY' }],
  ['an unknown customer', { customerId: 999_999 }],
  ['a reason without end', { reason: 'x'.repeat(1_001) }],
])('%s: 200 with its sentence, and nothing moves', async (_case, more) => {
  const { orderId, customerId } = await aRefundedSale();
  const { status, body } = await refund({ ...asked(orderId), ...more });
  expect([status, body.success, body.amount_applied]).toEqual([200, false, 0]);
  expect(body.error_message).toEqual(expect.any(String));
  expect(body.error_message).not.toMatch(/%\w/);
  expect(await walletOf(customerId)).toBe(0);
  expect((await refundsOf(orderId)).filter(({ state }) => state !== 'failed')).toEqual([]);
});

test('the sentences of the interface', async () => {
  const { orderId } = await aRefundedSale();
  const sentence = async (more: object) => (await refund({ ...asked(orderId), ...more })).body.error_message;
  expect(await sentence({ creditType: 'magic' })).toBe('No provider is installed for credit type magic.');
  expect(await sentence({ amount: 999 })).toBe('The amount 999 exceeds the remaining refundable amount 54.');
});

test('everything that is missing is named', async () => {
  expect((await refund({})).body.error_message).toMatch(/"orderId" is required.*"creditType" is required.*"amount"/);
});

test('a guest’s order names whose wallet it is', async () => {
  const sale = await anOrder(fork());
  await refundPieces(fork(), sale, 1);
  expect((await refund(asked(sale.orderId))).body.success).toBe(false);
  const customerId = await aCustomer(fork());
  expect((await refund(asked(sale.orderId, { customerId }))).body.success).toBe(true);
});

test('another customer than the order’s is refused, whatever the credit is', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const stranger = await aCustomer(fork());
  const sentence = `The order belongs to another customer than ${stranger}.`;
  for (const credit of [
    {},
    { creditType: 'gift_card', code: await aGiftCard(fork()) },
    { creditType: 'reward_points' },
  ])
    expect((await refund({ ...asked(orderId, { customerId: stranger }), ...credit })).body).toMatchObject({
      success: false,
      error_message: sentence,
    });
  expect([await walletOf(customerId), await walletOf(stranger)]).toEqual([0, 0]);
});
