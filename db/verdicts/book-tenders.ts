import type { EntityManager } from '@mikro-orm/postgresql';

import {
  asRefundLeg,
  differenceOf,
  memoRequest,
  type ExpectedLeg,
  type SettlementOptions,
} from '../../domain/refunds/quote-refund.ts';
import { methodOfLargest, splitInWords } from '../../domain/tenders/settle-lines.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { bookMemoWithCredits } from '../credits/give-credits-back.ts';
import { postRefundMail } from '../mails/post-refund-mail.ts';
import { recordRefundTransaction } from '../platform/credit-memos/book-credit-memo.ts';
import { pendingShipping } from '../platform/credit-memos/pending-memos.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { lockRefundAttempt, type AttemptRow } from '../refunds/refund-attempt.repository.ts';
import { itemsOf } from '../refunds/refund-intent.ts';
import { explainUsedUp } from '../refunds/refundable-money.ts';
import { returnComments } from '../returns/add-return-comment.ts';
import { findSettlePayload } from '../returns/keep-settle-payload.ts';
import type { LockedReturn } from '../returns/lock-return.ts';
import { closeSettled } from '../returns/settle-return.ts';
import { cached, saveRows } from '../support/save-rows.ts';
import { insertRows } from '../support/write-rows.ts';
import { asRefunded, plannedLegs, releaseAttempt } from './book-attempt.ts';
import { saveTenders, type TenderRow } from '../tenders/return-tenders.ts';

export interface TendersToBook {
  order: LockedOrder;
  rma: LockedReturn;
  /** All lines of the return, in the order of their numbers; none is pending at a gateway. */
  rows: readonly TenderRow[];
  options: SettlementOptions;
  expectedLegs?: readonly ExpectedLeg[] | undefined;
  /** Of the settle: what its terminal printed is stored under it. */
  requestId?: string | undefined;
  /** Attempts of its lines that the caller has locked already, as it changed them. */
  locked?: readonly AttemptRow[];
}

/**
 * Books the one credit memo of all tender lines, and ends the return, in the caller's transaction with order and return
 * locked: the attempts of lines by a gateway become `booked`, and so do the lines.
 *
 * What a gateway's first call fixed is booked as planned. Refused with: 400 nothing is left.
 */
export async function bookTenders(
  em: EntityManager,
  booking: TendersToBook,
): Promise<{ status: ReturnStatus; mailId?: number }> {
  const { order, rma, rows, options } = booking;
  const attempts = await attemptsOf(em, booking);
  const head = attempts.find(({ headAttemptId }) => headAttemptId === null);
  const { memo, legs } = await bookMemo(em, { ...booking, head });
  for (const attempt of attempts) {
    Object.assign(attempt, { state: 'booked', lineOutcome: null, creditMemoId: memo.entityId });
    await recordOther(em, { order, transactionId: attempt.gatewayReference, paidBy: attempt.paymentReference });
  }
  for (const { reference } of rows) await recordOther(em, { order, transactionId: reference, paidBy: null });
  for (const row of rows) row.state = 'booked';
  await saveTenders(em, rows);
  await saveRows(em, [cached(RefundAttempt, attempts)]);
  const method = methodOfLargest(rows) ?? 'cash';
  const difference = differenceOf(booking.expectedLegs ?? head?.plan.expectedLegs, legs.map(asRefundLeg));
  await closeSettled(em, { order, rma, memo, legs, method, difference });
  const { returnId, status } = rma;
  await insertRows(em, [returnComments([{ returnId, comment: `Given back: ${splitInWords(rows)}.`, status }])]);
  const mailId = await postRefundMail(em, {
    creditMemoId: memo.entityId,
    method,
    notifyCustomer: options.notifyCustomer,
  });
  return { status: rma.status, ...(mailId === undefined ? {} : { mailId }) };
}

async function attemptsOf(em: EntityManager, { rows, locked = [] }: TendersToBook): Promise<AttemptRow[]> {
  const attempts: AttemptRow[] = [];
  for (const id of rows.flatMap(({ attemptId }) => attemptId ?? []).toSorted((one, other) => one - other)) {
    attempts.push(locked.find(({ attemptId }) => attemptId === id) ?? (await lockRefundAttempt(em, id)));
  }
  return attempts;
}

async function bookMemo(em: EntityManager, booking: TendersToBook & { head: AttemptRow | undefined }) {
  const { order, rma, rows, options, head, requestId } = booking;
  const payload = requestId === undefined ? undefined : await findSettlePayload(em, requestId);
  const transactionId = head?.gatewayReference ?? rows.find(({ reference }) => reference !== null)?.reference;
  const raw = payload === undefined || head !== undefined ? {} : { rawTransaction: { raw_payload: payload } };
  const transaction = transactionId == null ? {} : { transactionId, ...raw };
  const others = { order, movesStock: false, ...transaction };
  if (head === undefined) {
    try {
      const request = memoRequest(itemsOf(rma), options, order);
      return await bookMemoWithCredits(em, { ...others, request, isOnline: false });
    } catch (error) {
      throw await explainUsedUp(em, error, { order, returnId: rma.returnId, items: itemsOf(rma) });
    }
  }
  const shipping = pendingShipping(order, head.attemptId);
  await releaseAttempt(em, order, head);
  return bookMemoWithCredits(
    em,
    {
      ...others,
      request: asRefunded(order, head, shipping),
      isOnline: true,
      refundAttemptId: head.attemptId,
      paidBy: head.paymentReference,
    },
    plannedLegs(head),
  );
}

/** One transaction row for each reference; the memo's is there already. */
async function recordOther(
  em: EntityManager,
  { order, transactionId, paidBy }: { order: LockedOrder; transactionId: string | null; paidBy: string | null },
): Promise<void> {
  if (transactionId !== null) await recordRefundTransaction(em, { order, transactionId, paidBy });
}
