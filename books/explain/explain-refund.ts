import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { saleFacts, saleOf, saleTotals, type Telling } from './explain-order.ts';
import { findSubject, type Subject } from './find-subject.ts';
import { attemptEvents, memoEvents } from './refund-events.ts';
import { goods } from './sale-events.ts';
import type { SaleTold } from './sale-rows.ts';
import { inOrder, type Story } from './story.ts';
import { waysOnForAttempt } from './ways-on.ts';

/**
 * The story of one refund: an attempt through a gateway, or a credit memo paid back in another way.
 *
 * @param given an attempt's id, its workflow's id, or a credit memo's number
 *
 * Refused with 404 when there is no such refund.
 */
export async function explainRefund(em: EntityManager, given: string, telling?: Telling): Promise<Story> {
  const subject = await findSubject(em, 'refund', given);
  const rows = await saleOf(em, subject.orderId, telling);
  return subject.kind === 'memo' ? memoStory(rows, subject) : attemptStory(rows, subject);
}

/** The story of an attempt from the rows of its sale. */
export function attemptStory(rows: SaleTold, { id }: Pick<Subject, 'id'>): Story {
  const attempt = rows.attempts.find(({ attemptId }) => attemptId === id);
  if (!attempt) throw notFound('No refund is known as %1.', [String(id)]);
  const memos = rows.memos.filter(({ attemptId }) => attemptId === id);
  const rma = rows.returns.find(({ returnId }) => returnId === attempt.returnId);
  const { w } = rows;
  return {
    title: w.attemptTitle(id, attempt.state),
    facts: [...orderFacts(rows), ...(rma ? [w.forReturn(rma.incrementId, rma.status)] : [])],
    events: inOrder([...attemptEvents(attempt, rows), ...memos.flatMap((memo) => memoEvents(memo, rows))]),
    totals: saleTotals(rows),
    next: waysOnForAttempt(attempt, rows),
  };
}

/** The story of a credit memo without a gateway refund. */
export function memoStory(rows: SaleTold, { id }: Pick<Subject, 'id'>): Story {
  const memo = rows.memos.find(({ creditMemoId }) => creditMemoId === id);
  if (!memo) throw notFound('No refund is known as %1.', [String(id)]);
  const rma = rows.returns.find(({ returnId }) => returnId === memo.returnId);
  const { w } = rows;
  return {
    title: w.memoTitle(memo.incrementId),
    facts: [...orderFacts(rows), ...(rma ? [w.forReturnBy(rma.incrementId, rma.refundMethod)] : [])],
    events: memoEvents(memo, rows),
    totals: saleTotals(rows),
    next: [w.ways.isBooked],
  };
}

const orderFacts = (rows: SaleTold) => [rows.w.ofOrder(rows.order.incrementId, goods(rows)), ...saleFacts(rows)];
