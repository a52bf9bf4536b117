import { DeadlockException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import {
  cancellationOf,
  layawayStatusOf,
  type Cancellation,
  type FollowedLayaway,
  type LayawayStatus,
} from '../../domain/layaways.ts';
import { moneyText } from '../../domain/currency-texts.ts';
import { coinOf, formatUnits, isPositive, none, subtract, toCoins, zero, type Amount } from '../../domain/money.ts';
import { dueOf } from '../../domain/orders.ts';
import { defaultStatus, isReadyForInvoice } from '../../domain/platform/order-state.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import { countWithoutMemo, giveCreditsBack, readOrderCredits } from '../credits/give-credits-back.ts';
import { bookCreditMemo, type BookedMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { invoiceStates } from '../platform/invoices/invoice.entity.ts';
import { invoicesOfOrder, takeInvoiceBack, type InvoiceRow } from '../platform/invoices/invoice.repository.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { cancelLocked } from '../platform/orders/cancel-order.ts';
import { lockOrder, saveOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { isPastSql, tooLate } from '../support/begin-before.ts';
import { troubleOf } from '../support/connections/database-trouble.ts';
import { float, momentText, orNull } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { LayawayCancellation } from './layaway-cancellation.entity.ts';
import { layawayParts } from './layaway-parts.ts';

const nothing = { base: zero, order: zero };

/**
 * Books the refund of a cancelled layaway: a positive adjustment, no goods and no shipping (platform facts 7.7).
 * Every line is named with quantity zero, because a memo without lines would take all goods. A memo of zero, where
 * the fee takes all, is booked too (our choice): it records what became of the deposit.
 *
 * No goods move; the order's cancellation releases the reservations. In the caller's transaction, under the order
 * lock.
 */
const bookCancellationMemo = (
  em: EntityManager,
  { order, refund }: { order: LockedOrder } & Pick<Cancellation, 'refund'>,
): Promise<BookedMemo> =>
  bookCreditMemo(em, {
    order,
    request: {
      items: order.lines
        .filter((line) => line.parentItemId == null)
        .map(({ itemId }) => ({ orderItemId: itemId, qty: none })),
      shipping: nothing,
      adjustmentPositive: refund,
      adjustmentNegative: nothing,
    },
    isOnline: false,
    movesStock: false,
  });

export interface CancellationToTell extends Pick<Cancellation, 'fee' | 'handback' | 'legs'> {
  refundMethod: string | null;
  reason: string | null;
  currencyCode: string;
}

/** The comment in the order's history: the fee, what goes back in which form, and why. */
function cancellationComment(cancellation: CancellationToTell): string {
  const text = (value: Amount) => moneyText(value, cancellation.currencyCode);
  const feeText = isPositive(cancellation.fee.order) ? ` Fee kept: ${text(cancellation.fee.order)}.` : '';
  const handed = ` To hand back: ${text(cancellation.handback.order)}${cancellation.refundMethod === null ? '' : ` by ${cancellation.refundMethod}`}.`;
  const legs = cancellation.legs
    .map((leg) => ` Back to ${leg.kind.replaceAll('_', ' ')}: ${legText(leg, text)}.`)
    .join('');
  return `Layaway cancelled.${feeText}${handed}${legs}${cancellation.reason ? ` Reason: ${cancellation.reason}` : ''}`;
}

/** Points that were a discount carry no money. */
const legText = (leg: Cancellation['legs'][number], text: (value: Amount) => string) =>
  leg.points === null ? text(leg.amount) : `${leg.points} points`;

export interface LayawayToEnd {
  orderId: number;
  /** In 1/10 000 of a percent. */
  feePercent: number;
  /** A person's comment. */
  reason: string | null;
  /** The key of the request: a repeat of the step gets the first answer. */
  operationKey: string;
  /** Nothing is written after it, by the database's clock. */
  beginBefore: string;
  /** The owner of the token: the wallet's history names it. */
  actor: WalletActor;
}

export interface Ended {
  status: LayawayStatus;
  /** Why the order itself could not be cancelled; the layaway is still cancelled (spec 4.7). */
  orderNotCancelled?: unknown;
}

/**
 * Cancels a layaway in one transaction, under the order lock: memo, credits, open invoices, then the order with its
 * promised goods. An order under an open invoice cannot be cancelled (spec 4.7, platform facts 7.7).
 *
 * Only the last step may fail without undoing the others. Safe to repeat: the same request gets the first answer, any
 * other finds the layaway cancelled.
 *
 * Refused with: 404 unknown order · 400 as documented at `cancellationOf`, before anything moves; the refusals of a
 * credit memo · 503 too late, unless it is cancelled by this request already.
 */
export const cancelLayaway = (em: EntityManager, requested: LayawayToEnd): Promise<Ended> =>
  transact(em, async (tx) => {
    const order = await lockOrder(tx, requested.orderId);
    if (await hasRun(tx, requested)) return { status: 'cancelled' };
    const credits = await readOrderCredits(tx, order.entityId);
    const status = layawayStatusOf(order.posLayawayStatus ?? null);
    const cancellation = cancellationOf({ ...order, status, credits }, requested.feePercent);
    await writeCancellation(tx, { order, wanted: requested, cancellation });
    return { status: 'cancelled', ...(await cancelOrderToo(tx, order)) };
  });

/** Refused with 503: it has not run, and it is too late. */
async function hasRun(em: EntityManager, { orderId, operationKey, beginBefore }: LayawayToEnd): Promise<boolean> {
  const found = await findRun.first(em, { orderId, operationKey, moment: beginBefore });
  if (found?.isDone !== true && found?.isPast === true) throw tooLate();
  return found?.isDone === true;
}

const findRun = sql('cancel-layaway.findRun', { takes: { moment: momentText } })`
  select exists (select from layaway_cancellation where order_id = $orderId and operation_key = $operationKey)
    as is_done, ${isPastSql}`;

interface Writing {
  order: LockedOrder;
  wanted: LayawayToEnd;
  cancellation: Cancellation;
}

async function writeCancellation(em: EntityManager, { order, wanted, cancellation }: Writing): Promise<void> {
  const invoices = await invoicesOfOrder(em, order.entityId);
  const paid = toCoins(order.totalPaid, coinOf(order.orderCurrencyCode));
  const hasDeposit = isPositive(subtract(paid, order.totalRefunded));
  const isInvoiced = invoices.length > 0;
  const memo = isInvoiced && hasDeposit ? await bookCancellationMemo(em, { order, ...cancellation }) : null;
  const creditMemoId = memo?.entityId ?? null;
  const { handback, legs } = cancellation;
  if (!memo) countWithoutMemo(order, { amount: handback.order, baseAmount: handback.base });
  await giveCreditsBack(em, { order, creditMemoId, legs, actor: wanted.actor });
  await takeInvoicesBack(em, order, invoices);
  const { reason } = wanted;
  const refundMethod = order.posLayawayInitialPaymentMethod || order.payment.method;
  order.posLayawayStatus = 'cancelled';
  order.posLayawayBalanceOwed = zero;
  const cancelled = {
    orderId: order.entityId,
    operationKey: wanted.operationKey,
    feePercent: formatUnits(wanted.feePercent),
    fee: cancellation.fee.order,
    baseFee: cancellation.fee.base,
    refund: cancellation.handback.order,
    baseRefund: cancellation.handback.base,
    refundMethod,
    reason,
    creditMemoId,
  };
  await insertRows(em, [into(LayawayCancellation, [cancelled])]);
  const comment = cancellationComment({ ...cancellation, reason, refundMethod, currencyCode: order.orderCurrencyCode });
  await addOrderComment(em, { orderId: order.entityId, comment, status: order.status });
  await saveOrder(em, order);
}

/**
 * Every one that is open: an invoice that was cancelled may have been written anew, in parts. Then the order is one
 * that can be cancelled.
 */
async function takeInvoicesBack(em: EntityManager, order: LockedOrder, invoices: readonly InvoiceRow[]): Promise<void> {
  const open = invoices.filter(({ state }) => state === invoiceStates.open);
  for (const invoice of open) await takeInvoiceBack(em, order, invoice);
  if (open.length === 0 && isReadyForInvoice(order.state)) return;
  order.state = 'processing';
  order.status = defaultStatus.processing;
}

/**
 * Tried separately: when it fails, everything written before stays. A deadlock, or a database that is busy or away,
 * does not count as failure of the step: the whole transaction runs again.
 */
async function cancelOrderToo(em: EntityManager, order: LockedOrder): Promise<{ orderNotCancelled?: unknown }> {
  try {
    // A savepoint: when the step fails, its changes of the order's rows are not written.
    const isCancelled = await em.transactional(async (part) => {
      if (!(await cancelLocked(part, order))) return false;
      await saveOrder(part, order);
      return true;
    });
    return isCancelled ? {} : { orderNotCancelled: 'nothing of the order is left to cancel' };
  } catch (error) {
    if (error instanceof DeadlockException || troubleOf(error) !== undefined) throw error;
    return { orderNotCancelled: error };
  }
}

const columns = `entity_id, increment_id, state, pos_layaway_status, order_currency_code, grand_total, total_paid, due_taken_off,
  pos_layaway_expires_at, ceil(extract(epoch from pos_layaway_expires_at - clock_timestamp()) * 1000)::float8 as expires_in_ms`;

const readText = `select ${columns} from sales_order where entity_id = $orderId`;

const readLayaway = sql('cancel-layaway.readLayaway', {
  gives: { ...layawayParts, expiresInMs: orNull(float) },
})`${readText}`;

const follow = sql('cancel-layaway.follow', { gives: { ...layawayParts, expiresInMs: orNull(float) } })`
  with followed as (
    update sales_order set pos_layaway_followed_at = clock_timestamp()
    where entity_id = $orderId and pos_layaway_followed_at is null and pos_layaway_status is not null
  )
  ${readText}`;

/**
 * A layaway for its workflow. This also records that the workflow follows it, so the sweep skips it. A repeat only
 * reads.
 *
 * Refused with: 404 unknown order.
 */
export const followLayaway = async (em: EntityManager, orderId: number): Promise<FollowedLayaway> =>
  followed(await follow.first(em, { orderId }));

/** The same, read again. Refused with: 404 unknown order. */
export const lookAtLayaway = async (em: EntityManager, orderId: number): Promise<FollowedLayaway> =>
  followed(await readLayaway.first(em, { orderId }));

function followed(row: RowFrom<typeof readLayaway> | undefined): FollowedLayaway {
  if (!row) throw noSuchDocument();
  return {
    orderId: row.entityId,
    orderIncrementId: row.incrementId,
    state: row.state,
    status: layawayStatusOf(row.posLayawayStatus),
    balanceOwed: dueOf(row),
    currencyCode: row.orderCurrencyCode,
    expiresAt: row.posLayawayExpiresAt?.toISOString() ?? null,
    expiresInMs: row.expiresInMs,
  };
}
