import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { findSubject } from './find-subject.ts';
import { gatherSale } from './gather-sale.ts';
import { creditEvents, creditFacts } from './credit-events.ts';
import { creditRefundEvents } from './credit-refund-events.ts';
import { english, type StoryWords } from './english-story.ts';
import { layawayEvents, layawayFacts } from './layaway-events.ts';
import { pointsEvents } from './points-events.ts';
import { processEvents } from './process-events.ts';
import { attemptEvents, memoEvents } from './refund-events.ts';
import { returnEvents } from './return-events.ts';
import { saleEvents } from './sale-events.ts';
import type { AttemptRow, SaleTold } from './sale-rows.ts';
import { inOrder, type Story } from './story.ts';
import { waysOnForOrder } from './ways-on-order.ts';

/** Whether the gateway of a payment can answer look-ups. A parameter, because this layer has no gateways. */
export type CanLookUp = (payment: { storeId: number; paymentMethod: string }) => Promise<boolean>;

/** How a story is told. */
export interface Telling {
  /** Absent: every gateway counts as able to answer look-ups. */
  canLookUp?: CanLookUp;
  /** Absent: English. */
  w?: StoryWords;
}

const anyCaller: CanLookUp = async () => true;

/**
 * The whole story of an order: the sale, its returns, its refunds.
 *
 * @param given an id, or the number on the receipt
 *
 * Refused with 404 when there is no such order.
 */
export async function explainOrder(em: EntityManager, given: string, telling?: Telling): Promise<Story> {
  const { orderId } = await findSubject(em, 'order', given);
  return orderStory(await saleOf(em, orderId, telling));
}

/** The rows of a sale that was just found; they are missing only if a person deleted them by hand. */
export async function saleOf(
  em: EntityManager,
  orderId: number,
  { canLookUp = anyCaller, w = english }: Telling = {},
): Promise<SaleTold> {
  const rows = await gatherSale(em, orderId);
  if (!rows) throw notFound('No order is known as %1.', [String(orderId)]);
  const attempts = rows.attempts.map(async (attempt): Promise<AttemptRow> => {
    if (attempt.state !== 'uncertain' || (await canLookUp({ ...rows.order, ...attempt }))) return attempt;
    return { ...attempt, cannotBeAsked: true };
  });
  return { ...rows, w, attempts: await Promise.all(attempts) };
}

/** The story of an order from its rows. */
export const orderStory = (rows: SaleTold): Story => ({
  title: rows.w.orderTitle(rows.order.incrementId, rows.order.status),
  facts: saleFacts(rows),
  events: inOrder([
    ...saleEvents(rows),
    ...rows.processes.flatMap((run) => processEvents(run, rows)),
    ...rows.attempts.flatMap((attempt) => attemptEvents(attempt, rows)),
    ...rows.memos.flatMap((memo) => memoEvents(memo, rows)),
    ...layawayEvents(rows),
    ...creditEvents(rows),
    ...creditRefundEvents(rows),
    ...pointsEvents(rows),
    ...rows.returns.flatMap((rma) => returnEvents(rma, rows)),
  ]),
  totals: saleTotals(rows),
  next: waysOnForOrder(rows),
});

/** How it was paid, and by which register sale. */
export function saleFacts(rows: SaleTold): string[] {
  const { order, w } = rows;
  return [
    w.paidBy(order.paymentMethod, order.paymentReference),
    ...creditFacts(rows),
    ...layawayFacts(rows),
    ...(order.posSaleId === null ? [] : [w.registerSale(order.posSaleId)]),
  ];
}

export function saleTotals({ order, w }: SaleTold): Story['totals'] {
  const amount = (stored: string) => w.amount(stored, order.currency);
  return [
    { what: w.totals.total, amount: amount(order.grandTotal) },
    { what: w.totals.paid, amount: amount(order.totalPaid) },
    { what: w.totals.due, amount: amount(order.totalDue) },
    { what: w.totals.refunded, amount: amount(order.totalRefunded) },
    ...(Number(order.returnedWithoutMemo) === 0
      ? []
      : [{ what: w.totals.withoutMemo, amount: amount(order.returnedWithoutMemo) }]),
    ...(Number(order.basePendingRefund) === 0
      ? []
      : [{ what: w.totals.promised, amount: w.amount(order.basePendingRefund, order.baseCurrency) }]),
  ];
}
