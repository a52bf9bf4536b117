import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { creditEvents } from './credit-events.ts';
import { saleFacts, saleOf, saleTotals, type Telling } from './explain-order.ts';
import { findSubject } from './find-subject.ts';
import { attemptEvents, memoEvents } from './refund-events.ts';
import { returnEvents } from './return-events.ts';
import { goods } from './sale-events.ts';
import type { SaleTold } from './sale-rows.ts';
import { inOrder, type Story } from './story.ts';
import { waysOnForReturn } from './ways-on.ts';

/**
 * The story of one return, from the request to the money.
 *
 * @param given an id, the return's number, or its workflow's id
 *
 * Refused with 404 when there is no such return.
 */
export async function explainReturn(em: EntityManager, given: string, telling?: Telling): Promise<Story> {
  const { orderId, id } = await findSubject(em, 'return', given);
  return returnStory(await saleOf(em, orderId, telling), id);
}

/** The story of a return from the rows of its sale. */
export function returnStory(rows: SaleTold, returnId: number): Story {
  const rma = rows.returns.find((one) => one.returnId === returnId);
  if (!rma) throw notFound('No return is known as %1.', [String(returnId)]);
  const attempts = rows.attempts.filter((attempt) => attempt.returnId === returnId);
  const memos = rows.memos.filter((memo) => memo.creditMemoId === rma.creditMemoId);
  const { w } = rows;
  return {
    title: w.returnTitle(rma.incrementId, rma.status),
    facts: [
      w.ofOrder(rows.order.incrementId, goods(rows)),
      ...saleFacts(rows),
      ...(rma.refundMethod === null ? [] : [w.goesBackBy(rma.refundMethod)]),
    ],
    events: inOrder([
      ...attempts.flatMap((attempt) => attemptEvents(attempt, rows)),
      ...memos.flatMap((memo) => memoEvents(memo, rows)),
      ...(rma.creditMemoId === null ? [] : creditEvents(rows, rma.creditMemoId)),
      ...returnEvents(rma, rows),
    ]),
    totals: saleTotals(rows),
    next: waysOnForReturn(rma, rows),
  };
}
