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
import { statement } from '../support/statement.ts';
import { issueStoreCredit } from './issue-store-credit.ts';
import { linesOfProcess, type ProcessLine, type ProcessRow } from './lock-process.ts';
import type { MemoOfRun } from './read-memo-of-run.ts';

interface Finished {
  order: LockedOrder;
  process: ProcessRow;
  memo: MemoOfRun;
}

/**
 * Ends a run whose memo was booked in this transaction: its figures, the store credit it promised (our decision 17), and
 * the goods, where no return has moved them. Under the order lock; called once per run, while it is open.
 */
export async function finishProcess(em: EntityManager, { order, process, memo }: Finished): Promise<void> {
  const total = { base: memo.baseGrandTotal, order: memo.grandTotal };
  const legs = await readLegs.all(em, { creditMemoId: memo.entityId });
  const rest = handbackOf(total, legs, coinsOf(order));
  const handback = { base: greatest(zero, rest.base), order: greatest(zero, rest.order) };
  process.state = 'done';
  process.creditMemoId = memo.entityId;
  process.refundTotal = memo.grandTotal;
  if (process.resolution === 'exchange') process.exchangeCreditAmount = handback.order;
  // A cent of rounding in one currency alone is nothing to give: the books of credit refuse it.
  const isSomething = handback.base > zero && handback.order > zero;
  if (process.resolution === 'store_credit' && process.customerId !== null && isSomething) {
    await issueStoreCredit(em, { order, customerId: process.customerId, memo, handback });
    process.storeCreditIssued = handback.order;
  }
  if (process.returnId !== null) return;
  await keepComment(em, { process, memo });
  await moveGoods(em, { order, process, memo });
}

/** Where there is no return, what was said of the goods stands with their memo. */
async function keepComment(em: EntityManager, { process, memo }: Omit<Finished, 'order'>): Promise<void> {
  if (process.comment === null) return;
  await addDocumentComment(em, { document: 'creditmemo', parentId: memo.entityId, comment: process.comment });
}

/** What the memo gave back to the credits the order was paid with. */
const readLegs = statement({
  takes: { creditMemoId: integer },
  gives: { ...of(OrderCreditReturn, 'baseAmount', 'amount'), ...of(OrderCredit, 'appliesAs') },
  text: `
    select r.base_amount, r.amount, c.applies_as
    from order_credit_return r join order_credit c on c.credit_id = r.credit_id
    where r.credit_memo_id = $creditMemoId`,
});

/** Stock is locked last. Damaged goods are written off, all others go back to where they came from. */
async function moveGoods(em: EntityManager, { order, process, memo }: Finished): Promise<void> {
  const items = await linesOfProcess(em, process);
  const good = new Map(perLine(items.filter((item) => !isDamaged(item))).map((line) => [line.orderItemId, line.qty]));
  const lines = perLine(items).map((line) => ({ ...line, qtyToStock: good.get(line.orderItemId) ?? none }));
  await moveRefundedStock(em, { order, creditMemoId: memo.entityId, lines, readReturned });
}

const isDamaged = ({ condition }: ProcessLine) => condition !== null && inspectionOf(condition) === 'damaged';
