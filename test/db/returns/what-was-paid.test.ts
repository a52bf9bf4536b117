import { expect, test } from 'vitest';
import fc from 'fast-check';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import type { PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { createOrder } from '../../../db/platform/order-saves/create-order.ts';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { formatAmount, scale, toWire, zero, type Amount } from '../../../domain/money/amount.ts';
import { coinOf } from '../../../domain/money/coins.ts';
import { quantity } from '../../../domain/money/quantity.ts';
import type { RefundableOrder } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anItem } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from '../../support/order-book.ts';
import { seed } from '../../support/seed.ts';
import { asOrder, postedSale } from '../../domain/platform/credit-memos/any-posted-sale.ts';

/** POS_RUNS asks for more. */
const runs = Number(process.env['POS_RUNS'] ?? 25);

opensAShop();

const { fork, fillShelves, theOrder, linesOf, returnsOf, creditsOf, booksHold } = booksOf(() => orm);

/** What a register posts of the sale, with figures in both currencies. */
const postedOf = (sold: RefundableOrder, customerId: number, creditPercent: number): PostedOrder => {
  const { base, order } = sold;
  const credit = scale(order.totalPaid, creditPercent, 100, coinOf(sold.orderCurrencyCode));
  const sum = (of: (line: RefundableOrder['lines'][number]) => Amount) =>
    sold.lines.reduce<number>((all, line) => all + of(line), 0) as Amount;
  return {
    columns: {
      ...{ state: 'new', status: 'pending', storeId: 1, customerId, customerEmail: 'ann@example.com' },
      ...{ baseCurrencyCode: 'USD', globalCurrencyCode: 'USD', storeCurrencyCode: 'USD' },
      ...{ orderCurrencyCode: sold.orderCurrencyCode, baseToOrderRate: sold.baseToOrderRate },
      ...{ subtotal: sum((line) => line.order.rowInvoiced), baseSubtotal: sum((line) => line.base.rowInvoiced) },
      ...{ taxAmount: order.taxInvoiced, baseTaxAmount: base.taxInvoiced },
      ...{ discountAmount: order.discountAmount, baseDiscountAmount: base.discountAmount },
      ...{ shippingAmount: order.shippingAmount, baseShippingAmount: base.shippingAmount },
      ...{ grandTotal: order.grandTotal, baseGrandTotal: base.grandTotal },
    },
    lines: sold.lines.map((line) => ({
      ...{ sku: 'MUG', name: 'Mug', productType: 'simple', qtyOrdered: line.qtyOrdered },
      ...{ rowTotal: line.order.rowInvoiced, baseRowTotal: line.base.rowInvoiced },
      ...{ taxAmount: line.order.taxInvoiced, baseTaxAmount: line.base.taxInvoiced },
      ...{ discountAmount: line.order.discountInvoiced, baseDiscountAmount: line.base.discountInvoiced },
    })),
    billingAddress: { firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', countryId: 'US' },
    payment: { method: 'provider_a', lastTransId: 'pay_1' },
    ...(credit === zero
      ? {}
      : { extras: { posAppliedCredits: [{ credit_type: 'store_credit', amount: toWire(credit) }] } }),
  };
};

async function sell(sold: RefundableOrder, creditPercent: number): Promise<number> {
  const customerId = await aCustomerWithCredit(orm, '100000000');
  const posted = postedOf(sold, customerId, creditPercent);
  const { orderId } = await createOrder(fork(), posted, { hooks: [createCreditSpender()], now: new Date() });
  await createInvoice(fork(), { orderId });
  await createShipment(fork(), { orderId });
  return orderId;
}

/** Percent of what is left of each line; and how its money goes back. */
const oneReturn = fc.record({
  takes: fc.array(fc.constantFrom(0, 0, 40, 100), { minLength: 5, maxLength: 5 }),
  by: fc.constantFrom('cash', 'exchange', 'card', 'card that declines first'),
});

async function leftOf(orderId: number, takes?: readonly number[]) {
  const lines = await linesOf(orderId, 'item_id', 'qty_invoiced', 'qty_refunded');
  return lines.flatMap(({ item_id: orderItemId, qty_invoiced: invoiced, qty_refunded: refunded }, at) => {
    const left = Number(invoiced) - Number(refunded);
    const qty = takes === undefined ? left : Math.floor((left * (takes[at] ?? 0)) / 100);
    return qty === 0 ? [] : [{ orderItemId, qty: quantity(qty * 10_000) }];
  });
}

const isDeclined = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' } as const;

async function settleByCard(returnId: number, isDeclinedFirst: boolean): Promise<void> {
  const asked = { returnId, options: plainSettlement, canRefundThrough: () => true };
  const { attempt } = await startGatewaySettlement(orm.em, asked);
  if (attempt === undefined) return;
  const { attemptId } = attempt;
  await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
  const isBooked = { evidence: 'refunded', gatewayReference: `gateway-${attemptId}` } as const;
  const finding = isDeclinedFirst ? isDeclined : isBooked;
  await recordFinding(orm.em, { attemptId, finding, now: new Date() });
  if (isDeclinedFirst) await settleByCard(returnId, false);
}

/** Takes goods back and settles; what is booked is what was previewed. */
async function takeBack(orderId: number, items: Awaited<ReturnType<typeof leftOf>>, by: string): Promise<void> {
  const { refund, handback } = await previewRefund(fork(), { orderId, items, options: plainSettlement });
  const { returnId } = await createReturn(orm.em, {
    ...{ orderId, customerId: null, locationId: 1, comment: null, isAutoApproved: true, posSaleId: null },
    items: items.map(({ orderItemId, qty }) => ({ ...anItem(orderItemId), qtyRequested: qty })),
    refundMethod: 'cash',
  });
  await initialiseReturn(orm.em, { returnId, canRefundThrough: () => false });
  if (by.startsWith('card')) await settleByCard(returnId, by !== 'card');
  else {
    const method = by === 'cash' ? 'cash' : 'exchange';
    await bookSettlement(orm.em, { returnId, method, options: plainSettlement, requestId: `paid-${returnId}` });
  }
  const booked = (await returnsOf(orderId, 'return_id', 'status', 'base_refund_total', 'base_handback')).at(-1);
  const expected = { base_refund_total: formatAmount(refund.base), base_handback: formatAmount(handback.base) };
  expect(booked).toEqual({ return_id: returnId, status: 'closed', ...expected });
}

test(
  'whatever a sale was posted with, its returns give back what came in, as previewed, tender by tender',
  async () => {
    console.log(`seed ${seed}, ${runs} sales`);
    await fillShelves();
    const property = fc.asyncProperty(
      postedSale,
      fc.array(oneReturn, { maxLength: 4 }),
      fc.constantFrom(0, 0, 30, 100),
      async (sale, returns, creditPercent) => {
        const sold = asOrder(sale);
        fc.pre(sold !== undefined);
        // Only goods of nothing with a total of something: such a sale is not placed.
        fc.pre(sold.lines.some((line) => line.order.rowInvoiced !== zero));
        const orderId = await sell(sold, creditPercent);
        const paid = {
          total_paid: formatAmount(sold.order.grandTotal),
          base_total_paid: formatAmount(sold.base.grandTotal),
        };
        expect(await theOrder(orderId, 'total_paid', 'base_total_paid', 'total_due')).toEqual({
          ...paid,
          total_due: '0.0000',
        });
        for (const { takes, by } of returns) {
          const items = await leftOf(orderId, takes);
          if (items.length > 0) await takeBack(orderId, items, by);
        }
        const rest = await leftOf(orderId);
        if (rest.length > 0) await takeBack(orderId, rest, 'cash');
        expect(await theOrder(orderId, 'state', 'total_refunded', 'base_total_refunded')).toEqual({
          state: 'closed',
          total_refunded: paid.total_paid,
          base_total_refunded: paid.base_total_paid,
        });
        const credits = await creditsOf(orderId, 'amount', 'base_amount', 'amount_returned', 'base_returned');
        expect(credits.map((one) => [one.amount_returned, one.base_returned])).toEqual(
          credits.map((one) => [one.amount, one.base_amount]),
        );
      },
    );
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
    await booksHold();
  },
  Math.max(60_000, runs * 2_000),
);
