import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { saleFacts, saleOf, saleTotals, type CanLookUp } from './explain-order.ts';
import { findSubject, type Subject } from './find-subject.ts';
import { attemptEvents, memoEvents } from './refund-events.ts';
import { goods } from './sale-events.ts';
import type { SaleRows } from './sale-rows.ts';
import { inOrder, type Story } from './story.ts';
import { waysOnForAttempt } from './ways-on.ts';

/**
 * The story of one refund: an attempt through a gateway, or a credit memo paid back in another way.
 *
 * @param given an attempt's id, its workflow's id, or a credit memo's number
 *
 * Refused with 404 when there is no such refund.
 */
export async function explainRefund(em: EntityManager, given: string, canLookUp?: CanLookUp): Promise<Story> {
  const subject = await findSubject(em, 'refund', given);
  const rows = await saleOf(em, subject.orderId, canLookUp);
  return subject.kind === 'memo' ? memoStory(rows, subject) : attemptStory(rows, subject);
}

/** The story of an attempt from the rows of its sale. */
export function attemptStory(rows: SaleRows, { id }: Pick<Subject, 'id'>): Story {
  const attempt = rows.attempts.find(({ attemptId }) => attemptId === id);
  if (!attempt) throw notFound('No refund is known as %1.', [String(id)]);
  const memos = rows.memos.filter(({ attemptId }) => attemptId === id);
  const rma = rows.returns.find(({ returnId }) => returnId === attempt.returnId);
  return {
    title: `Refund attempt ${id}: ${attempt.state}`,
    facts: [...orderFacts(rows), ...(rma ? [`For return ${rma.incrementId}, now ${rma.status}.`] : [])],
    events: inOrder([...attemptEvents(attempt, rows), ...memos.flatMap((memo) => memoEvents(memo, rows))]),
    totals: saleTotals(rows),
    next: waysOnForAttempt(attempt, rows.processes),
  };
}

/** The story of a credit memo without a gateway refund. */
export function memoStory(rows: SaleRows, { id }: Pick<Subject, 'id'>): Story {
  const memo = rows.memos.find(({ creditMemoId }) => creditMemoId === id);
  if (!memo) throw notFound('No refund is known as %1.', [String(id)]);
  const rma = rows.returns.find(({ returnId }) => returnId === memo.returnId);
  return {
    title: `Credit memo ${memo.incrementId}: booked`,
    facts: [...orderFacts(rows), ...(rma ? [`For return ${rma.incrementId}, by ${rma.refundMethod ?? 'hand'}.`] : [])],
    events: memoEvents(memo, rows),
    totals: saleTotals(rows),
    next: ['Nothing: the money went back and is booked.'],
  };
}

const orderFacts = (rows: SaleRows) => [`Of order ${rows.order.incrementId}: ${goods(rows)}.`, ...saleFacts(rows)];
