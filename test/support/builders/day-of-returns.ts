import type { EntityManager } from '@mikro-orm/postgresql';
import { AuditEntry } from '../../../db/audit.ts';
import { CreditMemo, CreditMemoItem } from '../../../db/platform/credit-memos/credit-memo.entity.ts';
import { OrderComment, PaymentTransaction } from '../../../db/platform/orders/order-parts.entity.ts';
import { Order } from '../../../db/platform/orders/order.entity.ts';
import { RefundAttempt } from '../../../db/refunds/refund-attempt.entity.ts';
import { Return, ReturnComment, ReturnItem, StockMovement } from '../../../db/returns/return.entity.ts';
import { money, zero, pieces, type Amount } from '../../../domain/money.ts';
import { aShop } from './shop.ts';

export interface Day {
  em: EntityManager;
  shop: Awaited<ReturnType<typeof aShop>>;
  next: () => Date;
}

/** One mug comes back to the counter, pristine, and goes back on the floor. */
export async function aReturnOf(
  day: Day,
  order: Order,
  { status, refundMethod }: { status: Return['status']; refundMethod: NonNullable<Return['refundMethod']> },
) {
  const { em, shop, next } = day;
  const createdAt = next();
  const rma = em.create(Return, {
    incrementId: order.incrementId,
    orderId: order.entityId,
    locationId: shop.locationId,
    status: 'awaiting_refund',
    isAutoApproved: true,
    requestedRefundMethod: refundMethod,
    refundMethod,
    posSaleId: `return-of-${order.incrementId}`,
    createdAt,
    updatedAt: createdAt,
  });
  const item = em.create(ReturnItem, {
    rma,
    orderItemId: order.items[0]!.itemId,
    productName: 'Mug',
    productSku: 'MUG',
    qtyRequested: pieces(1),
    qtyReturned: pieces(1),
    reason: 'Too small',
    condition: 'Unopened',
    resolution: 'Refund',
    inspectedCondition: 'pristine',
  });
  await em.flush();
  em.create(StockMovement, {
    returnItemId: item.entityId,
    kind: 'received',
    sku: 'MUG',
    sourceCode: 'floor',
    quantity: pieces(1),
    inspectedCondition: 'pristine',
    createdAt: next(),
  });
  em.create(ReturnComment, {
    returnId: rma.returnId,
    comment: 'Handed in by the buyer.',
    status: 'received',
    author: 'Ada',
    createdAt: next(),
  });
  await em.flush();
  if (status === 'awaiting_refund') return rma;
  rma.status = status;
  return rma;
}

export function anAttemptAt(
  { em, next }: Day,
  order: Order,
  rma: Return,
  { state, generation }: { state: RefundAttempt['state']; generation: number },
) {
  const createdAt = next();
  return em.create(RefundAttempt, {
    orderId: order.entityId,
    returnId: rma.returnId,
    paymentMethod: order.payment!.unwrap().method,
    channel: 'original',
    state,
    amount: money('54'),
    baseAmount: money('54'),
    currencyCode: 'USD',
    paymentReference: `pay-${Number(order.incrementId)}`,
    idempotencyKey: `return-${rma.returnId}-${generation}`,
    nameTail: 'tail',
    plan: {
      items: [{ orderItemId: order.items[0]!.itemId, qty: pieces(1) }],
      adjustmentPositive: 0,
      adjustmentNegative: 0,
      shippingAmount: null,
      notifyCustomer: false,
    },
    callStartedAt: createdAt,
    callDeadline: new Date(createdAt.getTime() + 20_000),
    createdAt,
    updatedAt: createdAt,
  });
}

/** The refund of one mug, everywhere it is written. */
export async function bookMemo(day: Day, order: Order, rma: Return, attempt: RefundAttempt) {
  const { em, next } = day;
  const parts = { subtotal: money('50'), taxAmount: money('4'), grandTotal: money('54') };
  const createdAt = next();
  const memo = em.create(CreditMemo, {
    orderId: order.entityId,
    incrementId: order.incrementId,
    storeId: order.storeId,
    isOnline: true,
    transactionId: 'gw-1',
    refundAttemptId: attempt.attemptId,
    ...bothCurrencies(parts),
    createdAt,
    updatedAt: createdAt,
  });
  em.create(PaymentTransaction, {
    orderId: order.entityId,
    paymentId: order.payment!.unwrap().entityId,
    txnId: 'gw-1',
    txnType: 'refund',
    createdAt,
  });
  const item = order.items[0]!;
  em.create(CreditMemoItem, {
    creditMemo: memo,
    orderItemId: item.itemId,
    sku: 'MUG',
    name: 'Mug',
    qty: pieces(1),
    ...bothCurrencies({ price: money('50'), rowTotal: money('50'), taxAmount: money('4') }),
  });
  await em.flush();
  em.assign(item, {
    qtyRefunded: pieces(1),
    ...bothCurrencies({ amountRefunded: money('50'), taxRefunded: money('4') }),
  });
  em.assign(order, {
    ...bothCurrencies({ totalRefunded: money('54'), totalOnlineRefunded: money('54') }),
    ...bothCurrencies({ subtotalRefunded: money('50'), taxRefunded: money('4') }),
  });
  em.assign(order.payment!.unwrap(), bothCurrencies({ amountRefunded: money('54') }));
  em.assign(attempt, {
    state: 'booked',
    creditMemoId: memo.entityId,
    gatewayOutcome: 'approved',
    gatewayReference: 'gw-1',
    updatedAt: createdAt,
  });
  em.assign(rma, {
    creditMemoId: memo.entityId,
    baseRefundTotal: money('54'),
    baseHandback: money('54'),
    updatedAt: createdAt,
  });
  aComment(day, order, {
    comment: 'We refunded $54.00 online. Transaction ID: "gw-1"',
    entityName: 'creditmemo',
    createdAt,
  });
  em.create(AuditEntry, {
    entityType: 'return',
    entityId: String(rma.returnId),
    fieldName: 'status',
    oldValue: 'awaiting_refund',
    newValue: 'closed',
    changeSource: 'api',
    staffName: 'Ada',
    createdAt,
  });
  await em.flush();
}

export const aComment = (
  { em }: Day,
  order: Order,
  wanted: { comment: string; entityName?: string; createdAt: Date },
) => em.create(OrderComment, { parentId: order.entityId, status: order.status, ...wanted });

/** The same figures in both currencies: `{ subtotal }` becomes `{ subtotal, baseSubtotal }`. */
export function bothCurrencies<Name extends string>(figures: Record<Name, Amount>) {
  const twins = Object.entries<Amount>(figures).flatMap(([name, value]) => [
    [name, value ?? zero],
    [`base${name[0]!.toUpperCase()}${name.slice(1)}`, value ?? zero],
  ]);
  return Object.fromEntries(twins) as Record<Name | `base${Capitalize<Name>}`, Amount>;
}
