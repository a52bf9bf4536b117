import type { EntityManager } from '@mikro-orm/postgresql';
import { handbackOf } from '../../domain/credits/handback.ts';
import { greatest, zero } from '../../domain/money/amount.ts';
import { coinsOf } from '../../domain/money/coins.ts';
import { none } from '../../domain/money/quantity.ts';
import { inspectionOf } from '../../domain/returns/inspection.ts';
import { perLine } from '../../domain/returns/per-line.ts';
import { moveRefundedStock } from '../platform/credit-memos/move-refunded-stock.ts';
import { addDocumentComment } from '../platform/orders/add-document-comment.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { readReturned } from '../returns/read-returned.ts';
import { OrderCredit, OrderCreditReturn } from '../credits/order-credit.entity.ts';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { issueStoreCredit } from './issue-store-credit.ts';
import { linesOfProcess, type ProcessLine, type ProcessRow } from './lock-process.ts';
import type { MemoOfRun } from './read-memo-of-run.ts';

interface Finished {
  order: LockedOrder;
  process: ProcessRow;
  memo: MemoOfRun;
}

/**
 * Ends a collapsed return whose memo was booked in this transaction. It writes the figures, gives the promised store
 * credit (our decision 17), and moves the goods when there is no return that moves them. Under the order lock; called
 * once, while it is open.
 */
export async function finishProcess(em: EntityManager, { order, process, memo }: Finished): Promise<void> {
  const legs = await readLegs(em, memo.entityId);
  Object.assign(process, await payOut(em, { order, process, memo, legs }));
  if (process.returnId !== null) return;
  await keepComment(em, { process, memo });
  await moveGoods(em, { order, process, memo });
}

/** What a memo gave back to one credit that its order was paid with. */
export type ReturnedLeg = RowFrom<typeof legsOf>;

/** A collapsed return whose memo was booked in this transaction. */
export interface PaidOut {
  order: LockedOrder;
  process: Pick<ProcessRow, 'resolution' | 'customerId'>;
  memo: MemoOfRun;
  legs: readonly ReturnedLeg[];
}

/**
 * Gives the promised store credit, and returns the final figures. Once for each collapsed return, under the order lock.
 */
export async function payOut(em: EntityManager, { order, process, memo, legs }: PaidOut) {
  const { resolution, customerId } = process;
  const rest = handbackOf({ base: memo.baseGrandTotal, order: memo.grandTotal }, legs, coinsOf(order));
  const handback = { base: greatest(zero, rest.base), order: greatest(zero, rest.order) };
  // When rounding leaves a cent in only one currency, nothing is given: the books of credit refuse such an entry.
  const isSomething = handback.base > zero && handback.order > zero;
  const isIssued = resolution === 'store_credit' && customerId !== null && isSomething;
  if (isIssued) await issueStoreCredit(em, { order, customerId, memo, handback });
  return {
    state: 'done' as const,
    creditMemoId: memo.entityId,
    refundTotal: memo.grandTotal,
    exchangeCreditAmount: resolution === 'exchange' ? handback.order : zero,
    storeCreditIssued: isIssued ? handback.order : zero,
  };
}

/** Without a return, the comment on the goods is kept with the memo. */
async function keepComment(em: EntityManager, { process, memo }: Omit<Finished, 'order'>): Promise<void> {
  if (process.comment === null) return;
  await addDocumentComment(em, { document: 'creditmemo', parentId: memo.entityId, comment: process.comment });
}

/** What the memo gave back to the credits the order was paid with. */
export const readLegs = (em: EntityManager, creditMemoId: number): Promise<ReturnedLeg[]> =>
  legsOf.all(em, { creditMemoId });

const legsOf = statement({
  takes: { creditMemoId: integer },
  gives: { ...of(OrderCreditReturn, 'baseAmount', 'amount'), ...of(OrderCredit, 'appliesAs') },
  text: `
    select r.base_amount, r.amount, c.applies_as
    from order_credit_return r join order_credit c on c.credit_id = r.credit_id
    where r.credit_memo_id = $creditMemoId`,
});

/** Stock is locked last. Damaged goods are written off, others go back to their source. */
async function moveGoods(em: EntityManager, { order, process, memo }: Finished): Promise<void> {
  const items = await linesOfProcess(em, process);
  const good = new Map(perLine(items.filter((item) => !isDamaged(item))).map((line) => [line.orderItemId, line.qty]));
  const lines = perLine(items).map((line) => ({ ...line, qtyToStock: good.get(line.orderItemId) ?? none }));
  await moveRefundedStock(em, { order, creditMemoId: memo.entityId, lines, readReturned });
}

const isDamaged = ({ condition }: ProcessLine) => condition !== null && inspectionOf(condition) === 'damaged';
