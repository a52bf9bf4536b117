import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCreditSimulator, type CreditSimulator } from '../../../local/simulators/app.ts';
import { aGiftCard, cardBalance } from '../../support/builders/credit.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow, housekeeper } from '../../support/housekeeping.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { aRegister } from '../../support/register.ts';
import { daysAgo } from '../../support/moments.ts';

/** Two mugs of 108 are put aside; the deposit is a gift card, and no money at all. */
let flow: Flow;
let outside: CreditSimulator;
beforeAll(async () => {
  outside = await startCreditSimulator();
  flow = await aFlow({ settings: { CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey } });
});
afterAll(async () => {
  await housekeeper(flow)
    .terminate('the test is over')
    .catch(() => undefined);
  await flow.close();
  await outside.stop();
});

const { change, theOrder, storyOf, booksHold, memosOf } = booksOf(() => flow.api.orm);
const layaways = () => aLayawayRegister(flow);
const onCard = (code: string) => cardBalance(flow.api.orm, code);
async function aDeposit(amount: number, worth = '50', more: object = {}) {
  const code = await aGiftCard(flow.api.orm, worth);
  const credit = { credit_type: 'gift_card', code, amount, ...more };
  const { orderId } = await layaways().place(undefined, {
    extension_attributes: { pos_layaway_status: 'open', pos_applied_credits: [credit] },
  });
  return { orderId, code };
}

test('it is no money captured, and less is owed', async () => {
  const { orderId, code } = await aDeposit(30);
  expect(await onCard(code)).toBe('20.0000');
  expect(await layaways().pay(orderId, 8)).toMatchObject({ body: { total_captured: 8, balance_owed: 70 } });
});

test('cancelled without a fee it is all on the card again, and there is nothing to hand out', async () => {
  const { orderId, code } = await aDeposit(30);
  const { status, body } = await layaways().cancel(orderId, 0);
  expect([status, body]).toMatchObject([
    200,
    { status: 'cancelled', cancellation_fee: 0, refund_amount: 0, credit_legs: [{ kind: 'gift_card', amount: 30 }] },
  ]);
  expect(await onCard(code)).toBe('50.0000');
  expect(await theOrder(orderId, 'state', 'total_refunded')).toEqual({ state: 'canceled', total_refunded: '30.0000' });
  expect((await storyOf(orderId)).join()).not.toContain(code);
});

test('a fee that would have to be cut from the card is refused before anything moves; money beside it bears it', async () => {
  const { orderId, code } = await aDeposit(30);
  const refused = await layaways().cancel(orderId, 20);
  expect(refused.status).toBe(400);
  expect([await onCard(code), await memosOf(orderId)]).toEqual(['20.0000', []]);
  await layaways().pay(orderId, 10);
  expect((await layaways().cancel(orderId, 20)).body).toMatchObject({ cancellation_fee: 8, refund_amount: 2 });
  expect(await onCard(code)).toBe('50.0000');
});

const cardOf = async (code: string) =>
  (
    await flow.api.call('GET', `/V1/pos/credits/giftcard/${encodeURIComponent(code)}`, {
      token: flow.api.tokens.register,
    })
  ).body;

test('a card that expired meanwhile gets its credit back, and can be spent', async () => {
  const { orderId, code } = await aDeposit(30);
  await change('gift_card', { code }, { expires_at: daysAgo(1) });
  expect((await layaways().cancel(orderId, 0)).status).toBe(200);
  expect(await cardOf(code)).toMatchObject({ balance: 50, is_redeemable: true });
});

test('in place of a card that was disabled meanwhile the cancel answers a new one, twice the same', async () => {
  const { orderId, code } = await aDeposit(30);
  await change('gift_card', { code }, { state: 'disabled' });
  const { status, body } = await layaways().cancel(orderId, 0);
  expect([status, body.credit_legs]).toMatchObject([200, [{ kind: 'gift_card', amount: 30, is_new_card: true }]]);
  const [{ code: issued }] = body.credit_legs;
  expect(await cardOf(issued)).toMatchObject({ balance: 30, is_redeemable: true });
  expect(await onCard(code)).toBe('20.0000');
  const listed = await flow.api.call('GET', `/V1/pos/orders/${orderId}/issued-gift-cards`, {
    token: flow.api.tokens.register,
  });
  expect(listed).toMatchObject({ status: 200, body: [{ code: issued, issued_amount: 30, balance: 30 }] });
  expect((await storyOf(orderId)).join()).not.toContain(issued);
});

test('a card that pays for all of it: the layaway is settled without money, and what comes back goes to the card', async () => {
  const { orderId, code } = await aDeposit(108, '120');
  expect((await layaways().settle(orderId)).status).toBe(200);
  const order = await layaways().order(orderId);
  expect(order).toMatchObject({ total_due: 0, total_paid: 108 });
  const itemId = order.items[0].item_id;
  await flow.api.call('POST', `/V1/order/${orderId}/ship`, { token: flow.api.tokens.admin, body: {} });
  const register = aRegister(flow);
  const { body: rma } = await register.returnOne({ orderId, itemId });
  expect(await register.settle(rma.id, { method: 'cash' })).toMatchObject({
    body: { status: 'closed', refund_legs: [{ kind: 'gift_card', amount: 54 }] },
  });
  expect(await onCard(code)).toBe('66.0000');
});

test('a card that is kept outside is told there, once', async () => {
  const code = 'OUTSIDE-DEPOSIT';
  outside.balances.set(code, 500_000);
  const credit = { credit_type: 'gift_card', provider_code: 'credit_service', code, amount: 30 };
  const { orderId } = await layaways().place(undefined, {
    extension_attributes: { pos_layaway_status: 'open', pos_sale_id: 'kept-outside', pos_applied_credits: [credit] },
  });
  expect(outside.balances.get(code)).toBe(200_000);
  expect((await layaways().cancel(orderId, 0)).body).toMatchObject({
    credit_legs: [{ kind: 'gift_card', amount: 30 }],
  });
  await lookNow(flow);
  await lookNow(flow);
  expect(outside.balances.get(code)).toBe(500_000);
});

test('after all that the books hold', () => booksHold());
