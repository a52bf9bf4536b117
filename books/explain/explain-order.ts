import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { findSubject } from './find-subject.ts';
import { gatherSale } from './gather-sale.ts';
import { amountText } from './amount-text.ts';
import { creditEvents, creditFacts } from './credit-events.ts';
import { creditRefundEvents } from './credit-refund-events.ts';
import { layawayEvents, layawayFacts } from './layaway-events.ts';
import { pointsEvents } from './points-events.ts';
import { processEvents } from './process-events.ts';
import { attemptEvents, memoEvents } from './refund-events.ts';
import { returnEvents } from './return-events.ts';
import { saleEvents } from './sale-events.ts';
import type { AttemptRow, SaleRows } from './sale-rows.ts';
import { inOrder, type Story } from './story.ts';
import { waysOnForOrder } from './ways-on-order.ts';

/** Whether the gateway of a payment can answer look-ups. A parameter, because this layer has no gateways. */
export type CanLookUp = (payment: { storeId: number; paymentMethod: string }) => Promise<boolean>;

const anyCaller: CanLookUp = async () => true;

/**
 * The whole story of an order: the sale, its returns, its refunds.
 *
 * @param given an id, or the number on the receipt
 * @param canLookUp absent: every gateway counts as able to answer look-ups
 *
 * Refused with 404 when there is no such order.
 */
export async function explainOrder(em: EntityManager, given: string, canLookUp?: CanLookUp): Promise<Story> {
  const { orderId } = await findSubject(em, 'order', given);
  return orderStory(await saleOf(em, orderId, canLookUp));
}

/** The rows of a sale that was just found; they are missing only if a person deleted them by hand. */
export async function saleOf(em: EntityManager, orderId: number, canLookUp: CanLookUp = anyCaller): Promise<SaleRows> {
  const rows = await gatherSale(em, orderId);
  if (!rows) throw notFound('No order is known as %1.', [String(orderId)]);
  const attempts = rows.attempts.map(async (attempt): Promise<AttemptRow> => {
    if (attempt.state !== 'uncertain' || (await canLookUp({ ...rows.order, ...attempt }))) return attempt;
    return { ...attempt, cannotBeAsked: true };
  });
  return { ...rows, attempts: await Promise.all(attempts) };
}

/** The story of an order from its rows. */
export const orderStory = (rows: SaleRows): Story => ({
  title: `Order ${rows.order.incrementId}: ${rows.order.status}`,
  facts: saleFacts(rows),
  events: inOrder([
    ...saleEvents(rows),
    ...rows.processes.flatMap((run) => processEvents(run, rows)),
    ...rows.attempts.flatMap((attempt) => attemptEvents(attempt, rows)),
    ...rows.memos.flatMap((memo) => memoEvents(memo, rows)),
    ...layawayEvents(rows),
    ...creditEvents(rows),
    ...creditRefundEvents(rows),
    ...pointsEvents(rows.points),
    ...rows.returns.flatMap((rma) => returnEvents(rma, rows)),
  ]),
  totals: saleTotals(rows),
  next: waysOnForOrder(rows),
});

/** How it was paid, and by which register sale. */
export function saleFacts(rows: SaleRows): string[] {
  const { order } = rows;
  const reference = order.paymentReference === null ? '' : `, payment ${order.paymentReference}`;
  return [
    `Paid by ${order.paymentMethod ?? 'nothing known'}${reference}.`,
    ...creditFacts(rows),
    ...layawayFacts(rows),
    ...(order.posSaleId === null ? [] : [`Register sale ${order.posSaleId}.`]),
  ];
}

export function saleTotals({ order }: SaleRows): Story['totals'] {
  const amount = (stored: string) => amountText(stored, order.currency);
  return [
    { what: 'total', amount: amount(order.grandTotal) },
    { what: 'paid', amount: amount(order.totalPaid) },
    { what: 'still due', amount: amount(order.totalDue) },
    { what: 'refunded', amount: amount(order.totalRefunded) },
    ...(Number(order.returnedWithoutMemo) === 0
      ? []
      : [{ what: 'given back without a memo', amount: amount(order.returnedWithoutMemo) }]),
    ...(Number(order.basePendingRefund) === 0
      ? []
      : [{ what: 'promised to refunds under way', amount: amountText(order.basePendingRefund, order.baseCurrency) }]),
  ];
}
