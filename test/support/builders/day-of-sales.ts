import type { EntityManager } from '@mikro-orm/postgresql';
import { HeldCart } from '../../../db/held-carts/held-cart.entity.ts';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import { Reservation } from '../../../db/platform/inventory/stock.entity.ts';
import { Invoice, InvoiceItem, invoiceStates } from '../../../db/platform/invoices/invoice.entity.ts';
import { MoneyIn, Order } from '../../../db/platform/orders/order.entity.ts';
import { OrderItem, OrderPayment } from '../../../db/platform/orders/order-parts.entity.ts';
import { Shipment, ShipmentItem } from '../../../db/platform/shipments/shipment.entity.ts';
import { Receipt } from '../../../db/receipts/receipt.entity.ts';
import { Wallet, WalletEntry } from '../../../db/store-credit/wallet.entity.ts';
import { Terminal } from '../../../db/terminals/terminal.entity.ts';
import { money, pieces } from '../../../domain/money.ts';
import { aShop } from './shop.ts';
import { type Day, aReturnOf, anAttemptAt, bookMemo, aComment, bothCurrencies } from './day-of-returns.ts';

/** The shop's clock on that day: each event is a minute after the one before. */
const opening = Date.UTC(2026, 10, 20, 9, 0, 0);
const minute = 60_000;

/**
 * A day whose books are right, made row by row, as it was at five o'clock:
 *
 * - order 1, two mugs by card: one came back and was refunded through the gateway at the second try (return 1, closed)
 * - order 2, two mugs in cash: one came back and waits for its refund at the register (return 2)
 * - order 3, two mugs by card: one came back, the gateway's answer was lost (return 3, attempt 3 uncertain)
 */
export async function aDayOfSales(em: EntityManager) {
  const shop = await aShop(em);
  let now = opening;
  const day: Day = { em, shop, next: () => new Date((now += minute)) };

  em.create(Terminal, { name: 'Till 1', deviceIdentifier: 'till-1', activationUsedAt: day.next() });
  em.create(Terminal, { name: 'Till 2', deviceIdentifier: 'till-2', activationUsedAt: day.next() });
  aHeldCart(day);
  await aWallet(day);
  const refunded = await aSale(day, { number: 1, method: 'provider_a' });
  const first = await aReturnOf(day, refunded, { status: 'closed', refundMethod: 'original_payment' });
  const declined = anAttemptAt(day, refunded, first, { state: 'failed', generation: 1 });
  Object.assign(declined, { gatewayOutcome: 'declined', message: 'The card was declined.' });
  const booked = anAttemptAt(day, refunded, first, { state: 'started', generation: 2 });
  await em.flush();
  await bookMemo(day, refunded, first, booked);

  const cash = await aSale(day, { number: 2, method: 'cash' });
  const parked = await aReturnOf(day, cash, { status: 'awaiting_refund', refundMethod: 'cash' });

  const doubtful = await aSale(day, { number: 3, method: 'provider_b' });
  const third = await aReturnOf(day, doubtful, { status: 'awaiting_refund', refundMethod: 'original_payment' });
  const uncertain = anAttemptAt(day, doubtful, third, { state: 'uncertain', generation: 1 });
  Object.assign(uncertain, { gatewayOutcome: 'timeout', message: 'No answer within 20 s.' });
  em.assign(doubtful, { basePendingRefund: money('54') });
  await em.flush();
  await em.execute('update sales_order set pending_memos = ? where entity_id = ?', [
    JSON.stringify([{ refundAttemptId: uncertain.attemptId }]),
    doubtful.entityId,
  ]);
  // Each flush stamps the hour of the test; the day was another one.
  await em.execute(
    'update refund_attempt a set updated_at = coalesce(m.created_at, a.created_at) from refund_attempt b left ' +
      'join sales_creditmemo m on m.entity_id = b.credit_memo_id where b.attempt_id = a.attempt_id',
  );
  await em.execute('update sale_return set updated_at = created_at');
  return { shop, refunded, cash, doubtful, first, parked, third, declined, booked, uncertain };
}

function aHeldCart({ em, shop }: Day) {
  em.create(HeldCart, {
    locationId: shop.locationId,
    cartUuid: '11111111-1111-4111-8111-111111111111',
    cartData: '{}',
    recalledByStaffId: 1,
    parkedAt: new Date(opening),
    recalledAt: new Date(opening),
  });
}

/** A wallet with twenty in and five out. */
async function aWallet({ em, shop }: Day) {
  const grace = { email: 'grace@example.com', firstname: 'Grace', lastname: 'Hopper', websiteId: shop.websiteId };
  const customer = em.create(Customer, { ...grace, storeId: shop.storeId, groupId: 1 });
  await em.flush();
  await em.transactional(async (tx) => {
    const owner = { customerId: customer.id, websiteId: shop.websiteId };
    const wallet = tx.create(Wallet, { ...owner, baseCurrencyCode: 'USD', amount: money('15') });
    await tx.flush();
    const entry = { walletId: wallet.walletId, reason: 'Kindness' };
    tx.create(WalletEntry, {
      ...entry,
      eventType: 1,
      delta: money('20'),
      balanceAfter: money('20'),
      idempotencyKey: 'a',
    });
    await tx.flush();
    tx.create(WalletEntry, {
      ...entry,
      eventType: 2,
      delta: money('-5'),
      balanceAfter: money('15'),
      idempotencyKey: 'b',
    });
  });
}

/** Two mugs at 50 and 4 tax each: ordered, invoiced, paid, handed over. */
async function aSale(day: Day, { number, method }: { number: number; method: string }) {
  const { em, shop, next } = day;
  const total = money('108');
  const createdAt = next();
  const order = em.create(Order, {
    incrementId: `00000000${number}`,
    state: 'complete',
    status: 'complete',
    storeId: shop.storeId,
    protectCode: 'f'.repeat(32),
    baseCurrencyCode: 'USD',
    globalCurrencyCode: 'USD',
    orderCurrencyCode: 'USD',
    storeCurrencyCode: 'USD',
    totalQtyOrdered: pieces(2),
    totalItemCount: 1,
    posSaleId: `sale-${number}`,
    ...bothCurrencies({ subtotal: money('100'), taxAmount: money('8'), grandTotal: total, totalPaid: total }),
    ...bothCurrencies({ totalInvoiced: total, subtotalInvoiced: money('100'), taxInvoiced: money('8') }),
    createdAt,
    updatedAt: createdAt,
  });
  const item = em.create(OrderItem, {
    order,
    productId: shop.mug.entityId,
    sku: 'MUG',
    name: 'Mug',
    qtyOrdered: pieces(2),
    qtyInvoiced: pieces(2),
    qtyShipped: pieces(2),
    ...bothCurrencies({ price: money('50'), rowTotal: money('100'), taxAmount: money('8') }),
    ...bothCurrencies({ rowInvoiced: money('100'), taxInvoiced: money('8') }),
  });
  em.create(OrderPayment, {
    order,
    method,
    lastTransId: method === 'cash' ? null : `pay-${number}`,
    ...bothCurrencies({ amountOrdered: total, amountPaid: total }),
  });
  await em.flush();
  em.create(Receipt, {
    posOrderId: `sale-${number}`,
    orderIncrementId: order.incrementId,
    tokenDigest: String(number).repeat(64),
    sealedToken: 'sealed',
    createdAt,
    updatedAt: createdAt,
  });
  aComment(day, order, { comment: 'Sale at High Street.', createdAt });
  invoiced(day, order, item);
  shipped(day, order, item);
  await em.flush();
  return order;
}

function invoiced({ em, next }: Day, order: Order, item: OrderItem) {
  const createdAt = next();
  const invoice = em.create(Invoice, {
    orderId: order.entityId,
    incrementId: order.incrementId,
    storeId: order.storeId,
    state: invoiceStates.paid,
    totalQty: pieces(2),
    ...bothCurrencies({ subtotal: money('100'), taxAmount: money('8'), grandTotal: money('108') }),
    createdAt,
    updatedAt: createdAt,
  });
  em.create(InvoiceItem, {
    invoice,
    orderItemId: item.itemId,
    sku: 'MUG',
    qty: pieces(2),
    ...bothCurrencies({ price: money('50'), rowTotal: money('100'), taxAmount: money('8') }),
  });
  em.create(MoneyIn, {
    orderId: order.entityId,
    kind: 'invoice',
    reference: `invoice-${order.incrementId}`,
    amount: money('108'),
    baseAmount: money('108'),
    createdAt,
  });
}

function shipped({ em, shop, next }: Day, order: Order, item: OrderItem) {
  const createdAt = next();
  const shipment = em.create(Shipment, {
    orderId: order.entityId,
    incrementId: order.incrementId,
    storeId: order.storeId,
    sourceCode: 'floor',
    totalQty: pieces(2),
    createdAt,
    updatedAt: createdAt,
  });
  em.create(ShipmentItem, { shipment, orderItemId: item.itemId, sku: 'MUG', qty: pieces(2) });
  const reserved = { stockId: shop.stockId, sku: 'MUG', orderId: order.entityId };
  em.create(Reservation, { ...reserved, quantity: pieces(-2), eventType: 'order_placed' });
  em.create(Reservation, { ...reserved, quantity: pieces(2), eventType: 'shipment_created' });
}
