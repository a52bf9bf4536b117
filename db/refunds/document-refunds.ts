import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { none } from '../../domain/money.ts';
import { plainSettlement, type RefundedItem } from '../../domain/refunds/quote-refund.ts';
import { perLine } from '../../domain/returns/return-status.ts';
import { bookMemoWithCredits } from '../credits/give-credits-back.ts';
import { newNameTail } from '../installation/draw-name-tail.ts';
import { outsideName } from '../installation/outside-name.ts';
import { countTowardsInvoice } from '../platform/credit-memos/book-credit-memo.ts';
import type { ReadReturned } from '../platform/credit-memos/move-refunded-stock.ts';
import { figuresRequested, type RequestedMemo } from '../platform/credit-memos/refund-invoice.ts';
import { withOrder } from '../platform/orders/lock-order.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { sql } from '../support/sql.ts';
import { openRefundAttempt } from './refund-intent.ts';
import { readDocumentRefund, type DocumentRefundRecord } from './read-document-refund.ts';
import type { DocumentRemark } from '../platform/orders/document-remark.ts';

export interface InputedWithoutReturn {
  orderId: number;
  items: readonly RefundedItem[];
}

/**
 * The intent of a refund without a return: these goods of this order, and a number. In the caller's transaction, with
 * the order locked.
 *
 * A new request for goods that were neither refunded nor refused has the same intent, in any collapsed return. So a
 * late call and the next one stay one refund at the gateway. A booked refund or a documented no starts the next
 * intent; each has a random part, like every outside name.
 */
export async function intentWithoutReturn(
  em: EntityManager,
  { orderId, items }: InputedWithoutReturn,
): Promise<string> {
  const keyPrefix = `order-${orderId}-${digestOf(items)}-`;
  const [newest, ...before] = await attemptsOf.all(em, { orderId, wish: keyPrefix });
  if (newest && !newest.isAnswered) return newest.intent;
  const answered = [newest, ...before].filter((attempt) => attempt?.isAnswered).length;
  return outsideName(`${keyPrefix}${answered + 1}`, await newNameTail(em));
}

/** The newest first. The key is the intent followed by the amount. */
const attemptsOf = sql('document-refunds.attemptsOf')`
  select state = 'booked' or ends_intent as is_answered, regexp_replace(idempotency_key, '-[0-9]+$', '') as intent
  from refund_attempt
  where order_id = $orderId and return_id is null and starts_with(idempotency_key, $wish)
  order by attempt_id desc`;

/** Short, because a gateway's keys are; the same for any order of rows. */
function digestOf(items: readonly RefundedItem[]): string {
  const rows = perLine(items)
    .map(({ orderItemId, qty }) => `${orderItemId}:${qty}`)
    .toSorted();
  return hash('sha256', rows.join(','), 'hex').slice(0, 16);
}

/** A refund of one invoice by the platform's own routes, through the gateway that took the money. */
export interface DocumentRefund extends RequestedMemo {
  orderId: number;
  comment?: DocumentRemark | undefined;
  /** Names the request in all of its runs. */
  operationKey: string;
  /** Until then it may begin, by the database's clock. */
  beginBefore: string;
}

/** What the worker knows of gateway and returns, and the transaction needs. */
export interface DocumentRefundFacts {
  /** Whether a gateway can refund this payment method. */
  canRefundThrough: (paymentMethod: string) => boolean;
  /** 400 where the payment's gateway says no to any refund. */
  refuseUnrefundable: () => void;
  readReturned: ReadReturned;
}

/**
 * Writes down a refund of an invoice with its coming memo, before the gateway is called (platform facts 7.1, spec 3.3).
 * Where all of it is credit, no gateway is needed, and the memo is booked at once. Under the order lock.
 *
 * Until the attempt is decided, no other refund can use the memo's goods, shipping and total. A repeat with the same
 * operation key is answered with what the first run wrote.
 *
 * Refused with: 404 unknown order, an invoice of another order · 503 the moment has passed until which it may begin ·
 * 400 no gateway, figures that do not fit · 409 `gateway_uncertain` while another refund without a return is undecided.
 */
export const openDocumentRefund = (
  em: EntityManager,
  refund: DocumentRefund,
  facts: DocumentRefundFacts,
): Promise<DocumentRefundRecord> =>
  withOrder(em, refund.orderId, async (tx, order) => {
    const { orderId, invoiceId, returnToStockItemIds, operationKey } = refund;
    const known = await readDocumentRefund(tx, { orderId, operationKey });
    if (known) return known;
    await refuseTooLate(tx, refund.beginBefore);
    facts.refuseUnrefundable();
    const fixed = await figuresRequested(tx, order, refund);
    const comment = refund.comment === undefined ? {} : { comment: refund.comment };
    const goods = fixed.figures.lines.filter(({ qty }) => qty > none);
    const items = goods.map(({ orderItemId, qty }) => ({ orderItemId, qty }));
    const attempt = await openRefundAttempt(tx, {
      order,
      rma: { returnId: null, intent: await intentWithoutReturn(tx, { orderId, items }), items },
      canRefundThrough: facts.canRefundThrough,
      options: plainSettlement,
      memo: { ...fixed, invoiceId, returnToStockItemIds, requestKey: operationKey, ...comment },
    });
    if (!attempt) {
      const { memo } = await bookMemoWithCredits(tx, {
        order,
        request: fixed,
        isOnline: false,
        movesStock: true,
        returnToStockItemIds,
        readReturned: facts.readReturned,
        invoiceId,
        operationKey,
        ...comment,
      });
      await countTowardsInvoice(tx, { orderId, invoiceId, baseGrandTotal: memo.baseGrandTotal });
    }
    const opened = await readDocumentRefund(tx, { orderId, operationKey });
    if (!opened) throw new Error(`the refund ${operationKey} of order ${orderId} was not written`);
    return opened;
  });
