import { describe, expect, test } from 'vitest';
import { addEntryWithin } from '../../../db/store-credit/add-entry.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { aShopper, aShopperWithMugs } from '../../support/builders/cart.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensAShop, api, admin, orderOf, apply, remove, creditOf } from './carts-with-credit.ts';

opensAShop();

const { fork } = booksOf(() => api.orm);

test('a cart says how much credit it can absorb: the balance capped at its total', async () => {
  const poor = await aShopperWithMugs(api, { credit: '25' });
  const rich = await aShopperWithMugs(api, { credit: '500' });

  expect(await creditOf(poor)).toEqual({
    balance: 25,
    applicable_amount: 25,
    applied_amount: 0,
    is_applied: false,
    base_currency_code: 'USD',
    quote_applicable_amount: 25,
    quote_applied_amount: 0,
    quote_currency_code: 'USD',
  });
  expect(await creditOf(rich)).toMatchObject({ balance: 500, applicable_amount: 118 });
});

test('applied, it is a segment of the totals and leaves less to pay; the grand total stays the full price', async () => {
  const shopper = await aShopperWithMugs(api, { credit: '25' });

  expect(await apply(shopper)).toMatchObject({ status: 200, body: [] });

  expect(await creditOf(shopper)).toMatchObject({ is_applied: true, applied_amount: 25, quote_applied_amount: 25 });
  const totals = await shopper.totals();
  expect(totals).toMatchObject({
    grand_total: 118,
    extension_attributes: { amount_to_pay: 93, base_amount_to_pay: 93 },
  });
  expect(totals.total_segments.at(-1)).toEqual({ code: 'store_credit', title: 'Store Credit', value: -25 });
  expect(await remove(shopper)).toMatchObject({ status: 200, body: [] });
  expect(await remove(shopper)).toMatchObject({ status: 200, body: [] });
  expect(await shopper.totals()).toMatchObject({ extension_attributes: { amount_to_pay: 118 } });
});

test('applying and removing writes the cart and no wallet', async () => {
  const shopper = await aShopperWithMugs(api, { credit: '25' });
  const before = await shopper.wallet();

  for (let round = 0; round < 100; round++) {
    await apply(shopper);
    await remove(shopper);
  }

  expect(await shopper.wallet()).toEqual(before);
});

test('it follows the cart as that grows', async () => {
  const shopper = await aShopper(api, { credit: '200' });
  await shopper.open();
  await apply(shopper);
  expect(await creditOf(shopper)).toMatchObject({ is_applied: true, applied_amount: 0 });
  await shopper.put('MUG');
  expect(await creditOf(shopper)).toMatchObject({ applied_amount: 50 });
});

test('an empty wallet has nothing to apply, and without a cart there is nothing to apply it to', async () => {
  expect(await apply(await aShopperWithMugs(api))).toMatchObject({
    status: 400,
    body: { message: 'There is no store credit to apply.' },
  });
  const stranger = await aShopper(api, { credit: '5' });
  for (const answer of [await apply(stranger), await remove(stranger), await stranger.call('GET', '/store-credit')])
    expect(answer).toMatchObject({
      status: 404,
      body: { message: 'Current customer does not have an active cart.' },
    });
});

test('switched off, it pays no cart, and the wallet keeps what is in it', async () => {
  const shopper = await aShopperWithMugs(api, { credit: '25' });
  await apply(shopper);
  const isTaken = (value: string) =>
    setConfigValue(fork(), secretBox, { path: 'vendor_store_credit/general/enabled', value });
  await isTaken('0');
  try {
    expect(await creditOf(shopper)).toMatchObject({ balance: 0, applicable_amount: 0, applied_amount: 0 });
    expect(await shopper.totals()).toMatchObject({ extension_attributes: { amount_to_pay: 118 } });
    expect(await apply(shopper)).toMatchObject({ status: 400 });
    expect(await shopper.place()).toMatchObject({ status: 400 });
    await remove(shopper);
    expect(await orderOf((await shopper.place()).body)).toMatchObject({ total_due: 118 });
  } finally {
    await isTaken('1');
  }
  expect(await shopper.wallet()).toMatchObject([{ amount: '25.0000', delta: '25.0000' }]);
});

describe('placed,', () => {
  test('credit that covers a part is debited with the order, and the rest is due', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);

    const { body: orderId } = await shopper.place();

    expect(await orderOf(orderId)).toMatchObject({ grand_total: 118, total_paid: 25, total_due: 93 });
    expect(await shopper.wallet()).toMatchObject([
      { delta: '25.0000' },
      { amount: '0.0000', delta: '-25.0000', booking_key: `order-${orderId}-credit-1` },
    ]);
    expect(await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true })).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ total_paid: 118, total_due: 0 });
  });

  test('a way of paying that was chosen before credit paid for everything does', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '500' });
    await apply(shopper);
    const { status, body: orderId } = await shopper.place('checkmo');
    expect(status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({ total_paid: 118, total_due: 0, payment: { method: 'checkmo' } });
    expect(await shopper.wallet()).toMatchObject([{}, { amount: '382.0000', delta: '-118.0000' }]);
  });

  test('credit that covers all leaves the method free, and nothing due', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '500' });
    await apply(shopper);

    expect((await shopper.call('GET', '/payment-methods')).body).toEqual([
      { code: 'free', title: 'No Payment Information Required' },
    ]);
    expect(await shopper.place('vendor_provider_a')).toMatchObject({ status: 400 });
    const { body: orderId } = await shopper.place('free');

    expect(await orderOf(orderId)).toMatchObject({ grand_total: 118, total_paid: 118, total_due: 0 });
    expect(await shopper.wallet()).toMatchObject([{}, { amount: '382.0000', delta: '-118.0000' }]);
  });

  test('credit of dollars pays a cart in Canadian ones, never beyond the balance', async () => {
    const shopper = await aShopper(api, { credit: '25' });
    const ofAnEarlierTime = anEntry(shopper.customerId, { amount: '0.0099' });
    await addEntryWithin(fork(), { ...ofAnEarlierTime, bookingKey: 'of an earlier time' });
    await api.call('POST', '/rest/ca/V1/carts/mine', { token: shopper.token });
    await shopper.put('MUG', 2);
    await shopper.ship();
    await apply(shopper);
    expect(await creditOf(shopper)).toMatchObject({
      applied_amount: 25,
      quote_applied_amount: 34,
      quote_currency_code: 'CAD',
    });

    const { body: orderId } = await shopper.place();

    expect(await orderOf(orderId)).toMatchObject({ total_paid: 34, base_total_paid: 25, grand_total: 160.48 });
    expect(await shopper.wallet()).toMatchObject([{}, {}, { amount: '0.0099', delta: '-25.0000' }]);
  });

  test('cancelled again, the order gives it back', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);
    const { body: orderId } = await shopper.place();

    expect(await admin('POST', `/V1/orders/${orderId}/cancel`)).toMatchObject({ status: 200, body: true });

    expect(await shopper.wallet()).toMatchObject([{}, {}, { amount: '25.0000', delta: '25.0000' }]);
  });

  test('not at all, nothing is debited', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);
    const before = await shopper.wallet();

    expect(await shopper.place('banktransfer')).toMatchObject({ status: 400 });

    expect(await shopper.wallet()).toEqual(before);
    expect(await creditOf(shopper)).toMatchObject({ is_applied: true, applied_amount: 25 });
  });

  test('eight at once, one order is placed and the wallet debited once', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);

    const answers = await eightAtOnce(() => shopper.place());

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await shopper.wallet()).toHaveLength(2);
  });

  test('amid a hundred times of applying and removing, the wallet is debited by what the order says, or not', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    const cycles = Array.from({ length: 100 }, async (_, at) => {
      await (at % 2 === 0 ? apply(shopper) : remove(shopper));
    });

    const [placed] = await Promise.all([shopper.place(), ...cycles]);

    const order = await orderOf(placed.body);
    const entries = await shopper.wallet();
    expect([0, 25]).toContain(order.total_paid ?? 0);
    expect(entries).toHaveLength(order.total_paid === 25 ? 2 : 1);
  });
});
