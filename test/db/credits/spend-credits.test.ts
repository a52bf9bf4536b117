import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../../books/verify/verify.ts';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { mirrorLayaway } from '../../../db/layaways/read-layaway.ts';
import { createInvoice } from '../../../db/platform/invoices/invoices.ts';
import { createOrder } from '../../../db/platform/place-order.ts';
import type { OrderHook } from '../../../db/platform/orders/saved-order.ts';
import { updateOrder } from '../../../db/platform/update-order.ts';
import { readOrder } from '../../../db/platform/orders/read-order-items.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { money, pieces } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { mayBecomeCredit, waysBack, type SettleMethod } from '../../../domain/returns/resolution.ts';
import { booksOf } from '../../support/books.ts';
import {
  aCustomerWithCredit,
  aGiftCard,
  cardBalance,
  pointsOf,
  reserveStoreCredit,
  walletOf,
  withPoints,
} from '../../support/builders/credit.ts';
import { anOrder, aPostedOrder, type WantedOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';
import { now, opensAShopWithCredit, orm, storeCredit } from './paid-by-credit.ts';

describe('money for credit', () => {
  let orm: MikroORM;
  let locationId: number;
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    expect((await verify(fork())).filter(({ id }) => id !== 'I-13c' && id !== 'M-08')).toEqual([]);
    await orm.close();
  });

  let asked = 0;
  const { fork, change } = booksOf(() => orm);

  const asCredit = (orderId: number, amount: string, customerId: number | null = null) =>
    reserveStoreCredit(orm, { orderId, customerId, amount: money(amount), requestKey: `asked-${++asked}` });

  /** One mug of 54 that came back, parked for one way and settled by another. */
  async function aSettledReturn(method: Exclude<SettleMethod, 'original_payment'>, reference?: string) {
    const customerId = await aCustomer(fork());
    const rma = await aReturn(orm, { locationId, refundMethod: 'cash', order: { customerId } });
    await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
    await bookSettlement(orm.em, {
      returnId: rma.returnId,
      method,
      options: plainSettlement,
      requestId: `r-${rma.returnId}`,
      ...(reference === undefined ? {} : { reference }),
    });
    return { ...rma, customerId };
  }

  /** One mug of 54 that went back to the card; the customer is named where an order of a guest needs one. */
  async function aMugBackOnTheCard() {
    const customerId = await aCustomer(fork());
    const attempt = await aRefundAttempt(orm, { locationId, state: 'started' });
    const finding = { evidence: 'refunded' as const, gatewayReference: `re_${attempt.attemptId}` };
    await recordFinding(orm.em, { attemptId: attempt.attemptId, finding, now: new Date() });
    return { ...attempt, customerId };
  }

  describe('money that a tender gave back is not issued as credit', () => {
    test.each(['cash', 'terminal', 'manual_card', 'exchange'] as const)('settled by %s', async (method) => {
      const { orderId } = await aSettledReturn(method);
      await expect(asCredit(orderId, '0.01')).rejects.toThrow('exceeds the remaining refundable amount');
    });

    test('given back to the card', async () => {
      const { orderId, customerId } = await aMugBackOnTheCard();
      await expect(asCredit(orderId, '0.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
    });

    test('under way to the card', async () => {
      const { orderId } = await aRefundAttempt(orm, { locationId });
      const customerId = await aCustomer(fork());
      await expect(asCredit(orderId, '0.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
    });

    test('with the reference of a payment, by hand', async () => {
      const { orderId, orderItemId } = await aMugBackOnTheCard();
      const customerId = await aCustomer(fork());
      await refundPieces(fork(), { orderId, itemIds: [orderItemId] }, 1);
      await change('sales_creditmemo', { order_id: orderId, refund_attempt_id: null }, { transaction_id: 'T-9' });
      await expect(asCredit(orderId, '0.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
    });
  });

  describe('money that no tender gave back is', () => {
    test.each([undefined, 'voucher 7'])('settled by store credit, with the reference %s', async (reference) => {
      const { orderId } = await aSettledReturn('store_credit', reference);
      await expect(asCredit(orderId, '54.01')).rejects.toThrow('exceeds the remaining refundable amount');
      expect(await asCredit(orderId, '50')).toMatchObject({ state: 'reserved' });
      expect(await asCredit(orderId, '4')).toMatchObject({ state: 'reserved' });
      await expect(asCredit(orderId, '0.01')).rejects.toThrow('exceeds the remaining refundable amount');
    });

    test('beside what went back to the card', async () => {
      const { orderId, orderItemId, customerId } = await aMugBackOnTheCard();
      await refundPieces(fork(), { orderId, itemIds: [orderItemId] }, 1);

      await expect(asCredit(orderId, '54.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
      expect(await asCredit(orderId, '54', customerId)).toMatchObject({ state: 'reserved' });
    });

    test('eight times at once, once', async () => {
      const { orderId } = await aSettledReturn('store_credit');
      const { done } = await outcomesAtOnce(8, () => asCredit(orderId, '30'));
      expect(done).toHaveLength(1);
    });
  });

  test('credit of a customer’s order goes to no other customer', async () => {
    const { orderId, customerId } = await aSettledReturn('store_credit');
    const stranger = await aCustomer(fork());
    await expect(asCredit(orderId, '10', stranger)).rejects.toThrow('The order belongs to another customer than %1.');
    expect(await asCredit(orderId, '10', customerId)).toMatchObject({ customerId });
  });

  test('every way back is decided', () => {
    expect(waysBack.filter((way) => mayBecomeCredit[way])).toEqual(['store_credit', 'by_hand']);
    expect(Object.keys(mayBecomeCredit).toSorted()).toEqual(waysBack.toSorted());
  });
});

describe('spend credits refused', () => {
  opensAShopWithCredit();

  const { find } = booksOf(() => orm);

  async function place(wanted: WantedOrder, hooks: readonly OrderHook[] = [createCreditSpender()]) {
    return createOrder(orm.em, await aPostedOrder(orm.em, wanted), { hooks, now });
  }

  const ordersOf = (customerId: number) => find('sales_order', { customer_id: customerId }, 'entity_id');

  describe('what cannot be paid is refused with 400, and nothing is written', () => {
    test.each<[string, readonly object[], WantedOrder, RegExp]>([
      [
        'more than the wallet holds',
        [storeCredit('25.01')],
        {},
        /^Not paid with store credit: The balance cannot go below zero/,
      ],
      ['more than the order costs', [storeCredit(20), storeCredit(90)], {}, /^The credits come to %1/],
      [
        'more than the money posted with it leaves',
        [storeCredit(20)],
        { columns: { totalPaid: money('100') } },
        /^The credits come to/,
      ],
      ['an unknown provider', [storeCredit(5, { provider_code: 'acme' })], {}, /^No provider of %1 is known/],
      [
        'an unknown card',
        [{ credit_type: 'gift_card', code: 'NO-SUCH-CARD', amount: 5 }],
        {},
        /^Not paid with a gift card/,
      ],
      [
        'points that are not there',
        [{ credit_type: 'reward_points', points: 500, amount: 5 }],
        {},
        /^Not paid with reward points/,
      ],
      ['a credit that cannot be read', [storeCredit(1e-7)], {}, /^The credits of the order cannot be read/],
      ['an order that is over', [storeCredit(5)], { columns: { state: 'canceled' } }, /is over/],
    ])('%s', async (_case, credits, more, message) => {
      const customerId = await aCustomerWithCredit(orm, '25');
      await expect(place({ customerId, credits, ...more })).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(message),
      });
      expect(await walletOf(orm, customerId)).toBe('25.0000');
      expect(await ordersOf(customerId)).toEqual([]);
    });

    test('a guest has no store credit', async () => {
      await expect(place({ credits: [storeCredit(5)] })).rejects.toMatchObject({ status: 400 });
    });

    test('the second of two credits fails: the first one was not spent either', async () => {
      const customerId = await aCustomerWithCredit(orm, '25');
      const code = await aGiftCard(orm, '10');
      await expect(
        place({ customerId, credits: [{ credit_type: 'gift_card', code, amount: 10 }, storeCredit(26)] }),
      ).rejects.toMatchObject({ status: 400 });
      expect([await cardBalance(orm, code), await walletOf(orm, customerId)]).toEqual(['10.0000', '25.0000']);
    });

    test('a later step of the save fails: nothing was spent', async () => {
      const customerId = await aCustomerWithCredit(orm, '25');
      const fails: OrderHook = () => Promise.reject(new Error('the printer is on fire'));
      await expect(place({ customerId, credits: [storeCredit(5)] }, [createCreditSpender(), fails])).rejects.toThrow(
        'on fire',
      );
      expect(await walletOf(orm, customerId)).toBe('25.0000');
    });
  });

  test('of eight orders at once that spend one wallet only as many win as it can pay', async () => {
    const customerId = await aCustomerWithCredit(orm, '100');
    const { done } = await outcomesAtOnce(8, () => place({ customerId, credits: [storeCredit(100)] }));
    expect(done).toHaveLength(1);
    expect(await ordersOf(customerId)).toHaveLength(1);
    expect(await walletOf(orm, customerId)).toBe('0.0000');
  });

  test('orders that spend the same cards in turned orders at once do not wait for each other for ever', async () => {
    const [one, other] = [await aGiftCard(orm, '100'), await aGiftCard(orm, '100')];
    const card = (code: string) => ({ credit_type: 'gift_card', code, amount: 5 });
    await eightAtOnce((at) => place({ credits: at % 2 ? [card(one), card(other)] : [card(other), card(one)] }));
    expect([await cardBalance(orm, one), await cardBalance(orm, other)]).toEqual(['60.0000', '60.0000']);
  });
});

describe('spend credits', () => {
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
});
