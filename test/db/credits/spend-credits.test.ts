import { describe, expect, test } from 'vitest';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { mirrorLayaway } from '../../../db/layaways/mirror-layaway.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { createOrder } from '../../../db/platform/order-saves/create-order.ts';
import { readOrder } from '../../../db/platform/orders/read-orders.ts';
import { updateOrder } from '../../../db/platform/order-saves/update-order.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import {
  aCustomerWithCredit,
  aGiftCard,
  cardBalance,
  pointsOf,
  walletOf,
  withPoints,
} from '../../support/builders/credit.ts';
import { anOrder, aPostedOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShopWithCredit, now, orm, storeCredit } from './paid-by-credit.ts';

opensAShopWithCredit();

const { moneyInOf, creditsOf, theOrder, find, fork, entriesOf } = booksOf(() => orm);

/** Placed and nothing else: neither invoiced nor handed over. */
const placed = (wanted: WantedOrder) => anOrder(orm.em, { paid: false, shipped: false, ...wanted });

const paidOf = async (orderId: number) => {
  const order = await theOrder(orderId, 'total_paid', 'base_total_paid', 'total_due', 'status');
  return order!;
};

test('a key that a caller chose never stands for the wallet of an order', async () => {
  const customerId = await aCustomerWithCredit(orm, '40');
  const next = (await placed({})).orderId + 1;
  const guess = anEntry(customerId, { operation: 'debit', amount: '0.01', idempotencyKey: `order-${next}-credit-1` });
  await addEntry(fork(), guess);

  expect((await placed({ customerId, credits: [storeCredit(25)] })).orderId).toBe(next);
  expect(await walletOf(orm, customerId)).toBe('14.9900');
});

test('store credit is taken from the wallet, counts as paid, and is told', async () => {
  const customerId = await aCustomerWithCredit(orm, '40');
  const { orderId, incrementId } = await placed({ customerId, credits: [storeCredit(25)] });

  expect(await walletOf(orm, customerId)).toBe('15.0000');
  expect(await paidOf(orderId)).toMatchObject({
    total_paid: '25.0000',
    base_total_paid: '25.0000',
    total_due: '83.0000',
  });
  expect(await moneyInOf(orderId, 'kind', 'amount', 'base_amount', 'method')).toEqual([
    { kind: 'credit', amount: '25.0000', base_amount: '25.0000', method: 'store_credit' },
  ]);
  expect(await creditsOf(orderId, 'kind', 'provider_code', 'applies_as', 'amount', 'spend_key')).toEqual([
    {
      kind: 'store_credit',
      provider_code: 'store_credit',
      applies_as: 'tender',
      amount: '25.0000',
      spend_key: `order-${orderId}-credit-1`,
    },
  ]);
  expect((await entriesOf(customerId, 'delta', 'reason', 'booking_key', 'source')).at(-1)).toEqual({
    ...{ delta: '-25.0000', reason: `Spent on order ${incrementId}` },
    ...{ booking_key: `order-${orderId}-credit-1`, source: 'order' },
  });
  const { comments } = await readOrder(fork(), orderId);
  expect(comments.map(({ comment }) => comment)).toContain('Paid $25.00 with store credit.');
});

test('the order shows what was applied, and of a gift card only the last four', async () => {
  const customerId = await aCustomerWithCredit(orm, '40');
  const code = await aGiftCard(orm, '30');
  await withPoints(orm, customerId, 700);
  const { orderId } = await placed({
    customerId,
    credits: [
      { credit_type: 'gift_card', code, amount: 30 },
      storeCredit('12.5'),
      { credit_type: 'reward_points', points: 500, amount: 5, applies_as: 'discount' },
    ],
  });
  const { order } = await readOrder(fork(), orderId);
  const echo = { direction: 'applied', applies_as: 'tender' };
  expect(order['extension_attributes']).toEqual({
    pos_applied_credits: [
      {
        ...echo,
        kind: 'gift_card',
        provider_code: 'gift_card',
        base_amount: 30,
        amount: 30,
        code: `****${code.slice(-4)}`,
      },
      { ...echo, kind: 'store_credit', provider_code: 'store_credit', base_amount: 12.5, amount: 12.5 },
      {
        ...echo,
        kind: 'reward_points',
        provider_code: 'reward_points',
        applies_as: 'discount',
        base_amount: 5,
        amount: 5,
        points: 500,
      },
    ],
  });
  expect(await paidOf(orderId)).toMatchObject({ total_paid: '42.5000' });
  expect([await cardBalance(orm, code), await walletOf(orm, customerId), await pointsOf(orm, customerId)]).toEqual([
    '0.0000',
    '27.5000',
    200,
  ]);
  expect(JSON.stringify(await readOrder(fork(), orderId))).not.toContain(code);
});

test('an order in another currency is paid in it, and the wallet in its own', async () => {
  const customerId = await aCustomerWithCredit(orm, '100');
  const { orderId } = await placed({
    customerId,
    currency: 'CAD',
    rate: '1.36',
    storeId: 2,
    credits: [storeCredit(34)],
  });
  expect(await paidOf(orderId)).toMatchObject({ total_paid: '34.0000', base_total_paid: '25.0000' });
  expect(await walletOf(orm, customerId)).toBe('75.0000');
});

test('a layaway counts credit as paid; one that nothing is left of is ready to settle', async () => {
  const customerId = await aCustomerWithCredit(orm, '200');
  const hooks = [createCreditSpender(), mirrorLayaway];
  const part = await placed({ customerId, layaway: true, credits: [storeCredit(30)], hooks });
  const whole = await placed({ customerId, layaway: true, credits: [storeCredit(108)], hooks });
  expect(
    await find(
      'sales_order',
      { entity_id: [part.orderId, whole.orderId] },
      'pos_layaway_status',
      'pos_layaway_balance_owed',
      'total_paid',
    ),
  ).toEqual([
    { pos_layaway_status: 'open', pos_layaway_balance_owed: '78.0000', total_paid: '30.0000' },
    { pos_layaway_status: 'ready_to_settle', pos_layaway_balance_owed: '0.0000', total_paid: '108.0000' },
  ]);
});

describe('an invoice afterwards pays only the rest', () => {
  const thirds = { lines: [{ sku: 'MUG', qty: 3, price: '33.33', tax: '8.01' }] };
  const paymentsOf = (orderId: number) => moneyInOf(orderId, 'kind', 'amount');

  test('of all of the order', async () => {
    const customerId = await aCustomerWithCredit(orm, '40');
    const { orderId } = await placed({ customerId, credits: [storeCredit(40)] });
    await createInvoice(orm.em, { orderId });
    expect(await paymentsOf(orderId)).toEqual([
      { kind: 'credit', amount: '40.0000' },
      { kind: 'invoice', amount: '68.0000' },
    ]);
  });

  test('of an order that credit paid whole: nothing', async () => {
    const customerId = await aCustomerWithCredit(orm, '108');
    const { orderId } = await placed({ customerId, credits: [storeCredit(108)] });
    await createInvoice(orm.em, { orderId });
    expect(await paymentsOf(orderId)).toEqual([{ kind: 'credit', amount: '108.0000' }]);
  });

  test('of its parts, one after the other', async () => {
    const customerId = await aCustomerWithCredit(orm, '60');
    const { orderId, itemIds } = await placed({ ...thirds, customerId, credits: [storeCredit(60)] });
    for (let part = 0; part < 3; part++) {
      await createInvoice(orm.em, { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] });
    }
    expect(await paymentsOf(orderId)).toEqual([
      { kind: 'credit', amount: '60.0000' },
      { kind: 'invoice', amount: '12.0000' },
      { kind: 'invoice', amount: '36.0000' },
    ]);
  });
});

test('an order that was read and is sent back spends nothing again, and keeps what it shows', async () => {
  const customerId = await aCustomerWithCredit(orm, '25');
  const { orderId } = await placed({ customerId, credits: [storeCredit(10)] });
  const { order } = await readOrder(fork(), orderId);
  const shown = order['extension_attributes'] as Record<string, unknown>;
  const hooks = [createCreditSpender()];

  const posted = {
    columns: { extensionAttributes: { applied_taxes: [] } },
    extras: { posAppliedCredits: shown['pos_applied_credits'] },
  };
  await updateOrder(orm.em, orderId, { posted, hooks });
  expect(await walletOf(orm, customerId)).toBe('15.0000');
  expect((await readOrder(fork(), orderId)).order['extension_attributes']).toEqual({
    ...shown,
    applied_taxes: [],
  });

  const again = { columns: {}, extras: { posAppliedCredits: [storeCredit(5)] } };
  await expect(updateOrder(orm.em, orderId, { posted: again, hooks })).rejects.toMatchObject({ status: 400 });
  expect(await walletOf(orm, customerId)).toBe('15.0000');
});

test('an order posted as handed over and paid by credit alone is complete, not closed', async () => {
  const customerId = await aCustomerWithCredit(orm, '108');
  const posted = await aPostedOrder(orm.em, {
    customerId,
    credits: [storeCredit(108)],
    columns: { state: 'processing' },
  });
  const lines = posted.lines!.map((line) => ({ ...line, qtyInvoiced: line.qtyOrdered, qtyShipped: line.qtyOrdered }));
  const { orderId } = await createOrder(orm.em, { ...posted, lines }, { hooks: [createCreditSpender()], now });
  expect(await paidOf(orderId)).toMatchObject({ status: 'complete', total_paid: '108.0000' });
});
