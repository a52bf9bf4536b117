import type { EntityManager } from '@mikro-orm/postgresql';
import { type Amount, greatest, subtract, zero } from '../../domain/money/amount.ts';
import { coinsOf, downToCoins, type Coins } from '../../domain/money/coins.ts';
import { none } from '../../domain/money/quantity.ts';
import { inspectionOf } from '../../domain/returns/inspection.ts';
import { perLine } from '../../domain/returns/per-line.ts';
import { moveRefundedStock } from '../platform/credit-memos/move-refunded-stock.ts';
import { addDocumentComment } from '../platform/orders/add-document-comment.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { readReturned } from '../returns/read-returned.ts';
import { amount, integer, surely } from '../support/kinds.ts';
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
 * Ends a collapsed return whose memo was booked in this transaction: its figures, the store credit it promised (our
 * decision 17), and the goods, where no return moved them. Under the order lock; called once, while it is open.
 */
export async function finishProcess(em: EntityManager, { order, process, memo }: Finished): Promise<void> {
  const handback = await handbackOf(em, memo, coinsOf(order));
  process.state = 'done';
  process.creditMemoId = memo.entityId;
  process.refundTotal = memo.grandTotal;
  if (process.resolution === 'exchange') process.exchangeCreditAmount = handback.order;
  // A cent in one currency only is not issued: the books of credit refuse it.
  const isSomething = handback.base > zero && handback.order > zero;
  if (process.resolution === 'store_credit' && process.customerId !== null && isSomething) {
    await issueStoreCredit(em, { order, customerId: process.customerId, memo, handback });
    process.storeCreditIssued = handback.order;
  }
  if (process.returnId !== null) return;
  await keepComment(em, { process, memo });
  await moveGoods(em, { order, process, memo });
}

/** Without a return, the comment about the goods is kept with the memo. */
async function keepComment(em: EntityManager, { process, memo }: Omit<Finished, 'order'>): Promise<void> {
  if (process.comment === null) return;
  await addDocumentComment(em, { document: 'creditmemo', parentId: memo.entityId, comment: process.comment });
}

/** The memo's total less the part that went back to the order's credits. */
async function handbackOf(em: EntityManager, memo: MemoOfRun, coins: Coins): Promise<{ base: Amount; order: Amount }> {
  const given = await givenAsCredit.first(em, { creditMemoId: memo.entityId });
  const base = downToCoins(subtract(memo.baseGrandTotal, given?.base ?? zero), coins.base);
  const own = downToCoins(subtract(memo.grandTotal, given?.own ?? zero), coins.order);
  return { base: greatest(zero, base), order: greatest(zero, own) };
}

const givenAsCredit = statement({
  takes: { creditMemoId: integer },
  gives: { base: surely(amount), own: surely(amount) },
  text: `
    select coalesce(sum(r.base_amount), 0) as base, coalesce(sum(r.amount), 0) as own
    from order_credit_return r join order_credit c on c.credit_id = r.credit_id
    where r.credit_memo_id = $creditMemoId and c.applies_as = 'tender'`,
});

/** Stock is locked last. Damaged goods are written off, others go back to their source. */
async function moveGoods(em: EntityManager, { order, process, memo }: Finished): Promise<void> {
  const items = await linesOfProcess(em, process);
  const good = new Map(perLine(items.filter((item) => !isDamaged(item))).map((line) => [line.orderItemId, line.qty]));
  const lines = perLine(items).map((line) => ({ ...line, qtyToStock: good.get(line.orderItemId) ?? none }));
  await moveRefundedStock(em, { order, creditMemoId: memo.entityId, lines, readReturned });
}

const isDamaged = ({ condition }: ProcessLine) => condition !== null && inspectionOf(condition) === 'damaged';
