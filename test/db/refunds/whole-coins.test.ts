import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { formatAmount, money } from '../../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../../domain/money/coins.ts';
import { inMinorUnits } from '../../../domain/money/minor-units.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCancellation } from '../../support/builders/layaway.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  expect(await verify(fork())).toEqual([]);
  await orm.close();
});

const { memosOf, theOrder, findOne, fork } = booksOf(() => orm);

/** Two mugs by card, their figures as fine as a register posted them. */
const aFineOrder = (price: string, tax: string, more: WantedOrder) =>
  anOrder(fork(), {
    method: 'provider_a',
    lastTransId: `pay_${price}`,
    lines: [{ sku: 'MUG', qty: 2, price, tax }],
    step: 1,
    ...more,
  });

async function aMugBack({ orderId, itemIds }: { orderId: number; itemIds: number[] }, count: number, method: string) {
  const refundMethod = method === 'card' ? 'original_payment' : 'cash';
  const { returnId } = await createReturn(orm.em, {
    orderId,
    customerId: null,
    locationId,
    items: [{ ...anItem(itemIds[0] ?? 0), qtyRequested: pieces(count) }],
    comment: null,
    isAutoApproved: true,
    refundMethod,
    posSaleId: null,
  });
  const { attempt } = await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
  if (method === 'cash') {
    await bookSettlement(orm.em, { returnId, method, options: plainSettlement, requestId: `r-${returnId}` });
    return { call: undefined };
  }
  const attemptId = attempt?.attemptId ?? 0;
  const call = await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
  const finding = { evidence: 'refunded' as const, gatewayReference: `re_${attemptId}` };
  await recordFinding(orm.em, { attemptId, finding, now: new Date() });
  return { call };
}

const preview = (sale: { orderId: number; itemIds: number[] }, count: number) =>
  previewRefund(fork(), {
    orderId: sale.orderId,
    items: [{ orderItemId: sale.itemIds[0] ?? 0, qty: pieces(count) }],
    options: plainSettlement,
  });

const lastMemo = async (orderId: number) => (await memosOf(orderId, 'grand_total', 'base_grand_total')).at(-1)!;

/** Base currency, the order's own, and one unit of base in it. */
const sales: [price: string, tax: string, base: string, own: string, rate: string, paidBack: string][] = [
  ['5', '0.125', 'USD', 'USD', '1', '10.1300'],
  ['4.6875', '0.755', 'USD', 'USD', '1', '10.1300'],
  ['5.062', '0', 'KWD', 'KWD', '1', '10.1240'],
  ['5.0621', '0', 'KWD', 'KWD', '1', '10.1240'],
  ['150', '33.33', 'JPY', 'JPY', '1', '333.0000'],
  ['5', '0.125', 'USD', 'JPY', '150.37', '1522.0000'],
  ['5.062', '0', 'KWD', 'USD', '3.25', '32.9000'],
  ['150', '33.33', 'JPY', 'KWD', '0.00207', '0.6900'],
  ['1000', '25.5', 'HUF', 'HUF', '1', '2025.5000'],
];

describe.each(sales)(
  'two mugs at %s with %s tax, books in %s, sold in %s',
  (price, tax, baseCurrency, currency, rate, all) => {
    const sell = () => aFineOrder(price, tax, { baseCurrency, currency, rate });

    test.each(['card', 'cash'] as const)(
      'go back whole by %s: what was shown is asked for and booked',
      async (method) => {
        const sale = await sell();
        const shown = await preview(sale, 2);
        const { call } = await aMugBack(sale, 2, method);

        expect(formatAmount(shown.refund.order)).toBe(all);
        const memo = await lastMemo(sale.orderId);
        expect([memo.grand_total, memo.base_grand_total]).toEqual(
          [shown.refund.order, shown.refund.base].map(formatAmount),
        );
        if (method === 'card') {
          expect(call).toMatchObject({ amount: shown.handback.order, capturedAmount: shown.refund.order });
          expect(inMinorUnits(shown.handback.order, currency)).toBeGreaterThan(0);
        }
        expect(await theOrder(sale.orderId, 'state', 'total_refunded', 'base_total_refunded')).toEqual({
          state: 'closed',
          total_refunded: all,
          base_total_refunded: formatAmount(shown.refund.base),
        });
      },
    );

    test('go back one by one, by cash and by card, and nothing is left', async () => {
      const sale = await sell();
      for (const method of ['cash', 'card']) {
        const shown = await preview(sale, 1);
        await aMugBack(sale, 1, method);
        expect((await lastMemo(sale.orderId)).grand_total).toBe(formatAmount(shown.refund.order));
      }
      const order = await theOrder(sale.orderId);
      expect(order).toMatchObject({ state: 'closed', total_refunded: all });
      expect(order['base_total_refunded']).toBe(
        formatAmount(toCoins(money(order['base_total_paid'] ?? ''), coinOf(baseCurrency))),
      );
    });
  },
);

test.each([
  ['JPY', '400', '33.33', '132.6', '133.0000', '80.0000'],
  ['KWD', '4.004', '1.0015', '2.0012', '2.0010', '1.2010'],
] as const)(
  'a layaway in %s is paid and cancelled in its coins',
  async (currency, price, tax, asked, booked, handedBack) => {
    const sale = await aFineOrder(price, tax, { baseCurrency: currency, layaway: true, method: 'cash' });
    const { orderId } = sale;
    const payment = {
      orderId,
      amount: money(asked),
      paymentMethod: 'cash',
      reference: null,
      operationKey: `pay-${currency}`,
      beginBefore: 'infinity',
    };
    await capturePayment(fork(), payment);
    const { total_due: due, ...paid } = await theOrder(orderId, 'total_paid', 'total_due', 'pos_layaway_balance_owed');
    expect(paid).toEqual({ total_paid: booked, pos_layaway_balance_owed: due });

    await cancelLayaway(fork(), aCancellation(orderId, 40));
    const { refund } = await findOne('layaway_cancellation', { order_id: orderId }, 'refund');
    expect(refund).toBe(handedBack);
    expect((await lastMemo(orderId)).grand_total).toBe(refund);
  },
);
