import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { waysOnForPromise } from './credit-events.ts';
import { saleFacts, saleOf, saleTotals, type Telling } from './explain-order.ts';
import { inOrder, withWays, type Story } from './story.ts';
import { returnEvents } from './return-events.ts';
import { attemptEvents, creditEvents, findSubject, goods, memoEvents, type Subject } from './refund-events.ts';
import { waysOnForAttempt, waysOnForReturn, type SaleReported } from './sale-rows.ts';

/**
 * The story of one refund: an attempt through a gateway, or a credit memo paid back in another way.
 *
 * @param input an attempt's id, its workflow's id, or a credit memo's number
 *
 * Refused with 404 when there is no such refund.
 */
export async function explainRefund(em: EntityManager, input: string, telling?: Telling): Promise<Story> {
  const subject = await findSubject(em, 'refund', input);
  const rows = await saleOf(em, subject.orderId, telling);
  return subject.kind === 'memo' ? memoStory(rows, subject) : attemptStory(rows, subject);
}

/** The story of an attempt from the rows of its sale. */
export function attemptStory(rows: SaleReported, { id }: Pick<Subject, 'id'>): Story {
  const attempt = rows.attempts.find(({ attemptId }) => attemptId === id);
  if (!attempt) throw notFound('No refund is known as %1.', [String(id)]);
  const memos = rows.memos.filter(({ attemptId }) => attemptId === id);
  const rma = rows.returns.find(({ returnId }) => returnId === attempt.returnId);
  const { w } = rows;
  const story = {
    title: w.attemptTitle(id, attempt.state),
    facts: [...orderFacts(rows), ...(rma ? [w.forReturn(rma.incrementId, rma.status)] : [])],
    events: inOrder([...attemptEvents(attempt, rows), ...memos.flatMap((memo) => memoEvents(memo, rows))]),
    totals: saleTotals(rows),
  };
  return withWays(story, waysOnForAttempt(attempt, rows));
}

/** The story of a credit memo without a gateway refund. */
export function memoStory(rows: SaleReported, { id }: Pick<Subject, 'id'>): Story {
  const memo = rows.memos.find(({ creditMemoId }) => creditMemoId === id);
  if (!memo) throw notFound('No refund is known as %1.', [String(id)]);
  const rma = rows.returns.find(({ returnId }) => returnId === memo.returnId);
  const { w } = rows;
  const method = rma?.refundMethod == null ? null : w.method(rma.refundMethod);
  const story = {
    title: w.memoTitle(memo.incrementId),
    facts: [...orderFacts(rows), ...(rma ? [w.forReturnBy(rma.incrementId, method)] : [])],
    events: memoEvents(memo, rows),
    totals: saleTotals(rows),
  };
  return withWays(story, [w.ways.isBooked]);
}

const orderFacts = (rows: SaleReported) => [rows.w.ofOrder(rows.order.incrementId, goods(rows)), ...saleFacts(rows)];

/**
 * The story of one return, from the request to the money.
 *
 * @param input an id, the return's number, or its workflow's id
 *
 * Refused with 404 when there is no such return.
 */
export async function explainReturn(em: EntityManager, input: string, telling?: Telling): Promise<Story> {
  const { orderId, id } = await findSubject(em, 'return', input);
  return returnStory(await saleOf(em, orderId, telling), id);
}

/** The story of a return from the rows of its sale. */
export function returnStory(rows: SaleReported, returnId: number): Story {
  const rma = rows.returns.find((one) => one.returnId === returnId);
  if (!rma) throw notFound('No return is known as %1.', [String(returnId)]);
  const attempts = rows.attempts.filter((attempt) => attempt.returnId === returnId);
  const memos = rows.memos.filter((memo) => memo.creditMemoId === rma.creditMemoId);
  const { w } = rows;
  const story = {
    title: w.returnTitle(rma.incrementId, rma.status),
    facts: [
      w.ofOrder(rows.order.incrementId, goods(rows)),
      ...saleFacts(rows),
      ...(rma.refundMethod === null ? [] : [w.goesBackBy(w.method(rma.refundMethod))]),
    ],
    events: inOrder([
      ...attempts.flatMap((attempt) => attemptEvents(attempt, rows)),
      ...memos.flatMap((memo) => memoEvents(memo, rows)),
      ...(rma.creditMemoId === null ? [] : creditEvents(rows, rma.creditMemoId)),
      ...returnEvents(rma, rows),
    ]),
    totals: saleTotals(rows),
  };
  const own = waysOnForReturn(rma, rows);
  const promised = rma.refundMethod === 'store_credit' && rma.creditMemoId !== null ? waysOnForPromise(rows) : [];
  return withWays(story, promised.length === 0 ? own : [...own.filter((way) => way !== w.ways.isOver), ...promised]);
}
