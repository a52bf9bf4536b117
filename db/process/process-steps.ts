import type { EntityManager } from '@mikro-orm/postgresql';
import { handbackOf } from '../../domain/credits/applied-credit.ts';
import { type Refusal } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { coinsOf, greatest, none, zero } from '../../domain/money.ts';
import { returnProcessNotFound } from '../../domain/refusals/returns.ts';
import { inspectionOf, perLine, whoRan, whyUnattempted } from '../../domain/returns/return-status.ts';
import { moveRefundedStock } from '../platform/credit-memos/move-refunded-stock.ts';
import { addDocumentComment, addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { addReturnComment } from '../returns/add-return-comment.ts';
import { lockReturn, saveReturn, type LockedReturn } from '../returns/lock-return.ts';
import { readReturned } from '../returns/read-returned.ts';
import { type RowOf } from '../support/entity-columns.ts';
import { rowOf } from '../support/rows.ts';
import { keep, cached } from '../support/save-rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { issueStoreCredit } from './issue-store-credit.ts';
import type { MemoOfRun } from './read-memo-of-run.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';

type ProcessRow = RowOf<typeof ReturnProcess>;
type ProcessLine = RowOf<typeof ReturnProcessItem>;

/** A collapsed return under the lock of its order, with its return where it has one. */
export interface LockedProcess {
  order: LockedOrder;
  process: ProcessRow;
  rma: LockedReturn | undefined;
}

/**
 * One transaction under the locks of a collapsed return's order and return. The changes of `work` are written at its
 * end, in one statement. Refused with: 404 unknown collapsed return.
 */
export const withProcess = <Result>(
  em: EntityManager,
  processId: number,
  work: (tx: EntityManager, locked: LockedProcess) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const locked = await lockProcess(tx, processId);
    const result = await work(tx, locked);
    await saveProcess(tx, locked);
    return result;
  });

/** Locks the order and the return of a collapsed return, and reads its row; the order's lock covers it. */
async function lockProcess(em: EntityManager, processId: number): Promise<LockedProcess> {
  const subject = await findSubject.first(em, { processId });
  if (!subject) throw returnProcessNotFound([processId]);
  const locked = await lockSubject(em, subject);
  const found = await selectProcessSteps.first(em, { processId });
  if (!found) throw returnProcessNotFound([processId]);
  const process = keep(found.process);
  // Its return was created while this transaction waited.
  const isLocked = process.returnId === (locked.rma?.returnId ?? null);
  return { ...(isLocked ? locked : await lockSubject(em, process)), process };
}

const lockSubject = async (
  em: EntityManager,
  { orderId, returnId }: Pick<ProcessRow, 'orderId' | 'returnId'>,
): Promise<Omit<LockedProcess, 'process'>> =>
  returnId === null ? { order: await lockOrder(em, orderId), rma: undefined } : lockReturn(em, returnId);

const saveProcess = (em: EntityManager, { order, rma, process }: LockedProcess): Promise<void> =>
  saveReturn(em, { order, rma }, cached(ReturnProcess, [process]));

/** The goods of a collapsed return without a return, in the order named. */
export const linesOfProcess = async (em: EntityManager, { processId }: ProcessRow): Promise<ProcessLine[]> =>
  (await readLines.all(em, { processId })).map(({ line }) => line);

/**
 * The open collapsed return that an attempt refunds, under the lock of its order. Undefined: there is none, or it has
 * ended.
 */
export async function openRunOf(em: EntityManager, attemptId: number): Promise<ProcessRow | undefined> {
  const found = await readOpen.first(em, { attemptId });
  return found && keep(found.process);
}

const [process, line] = [rowOf(ReturnProcess, 'p'), rowOf(ReturnProcessItem, 'l')];

const findSubject = sql('process-steps.findSubject')`
  select order_id, return_id from return_process where process_id = $processId`;

const selectProcessSteps = sql('process-steps.selectProcessSteps', { gives: { process } })`
  select ${process.columns} from return_process p where p.process_id = $processId`;

const readOpen = sql('process-steps.readOpen', { gives: { process } })`
  select ${process.columns} from return_process p
  where p.refund_attempt_id = $attemptId and p.state = 'open' limit 1`;

const readLines = sql('process-steps.readLines', { gives: { line } })`
  select ${line.columns} from return_process_item l where l.process_id = $processId order by l.entity_id`;

export interface RefusedRun {
  processId: number;
  /** `refused`: the provider or the gateway said no. `failed`: what a provider wrote is unknown. */
  state: 'refused' | 'failed';
  refusal: Refusal;
}

/**
 * Ends a collapsed return without a refund, after its attempt was rolled back. Its lines may be returned again. The
 * histories of the order and the return name the provider and the reason (spec 4.8); the return keeps its status.
 *
 * Safe to repeat: one that has ended is unchanged.
 */
export const refuseProcess = (em: EntityManager, { processId, state, refusal }: RefusedRun): Promise<void> =>
  withProcess(em, processId, async (tx, { order, process, rma }) => {
    if (process.state !== 'open') return;
    process.state = state;
    process.refusal = { ...refusal };
    const entry = { process, orderStatus: order.status, why: fillIn(refusal.message, refusal.parameters) };
    await commentRefusal(tx, entry, rma);
  });

interface Why {
  process: ProcessRow;
  orderStatus: string;
  why: string;
}

/**
 * Ends a collapsed return of an existing return when every provider passed: nothing was tried and nothing is refused.
 * The histories say so. Safe to repeat: one that has ended is unchanged.
 */
export const leaveUnattempted = (em: EntityManager, processId: number): Promise<void> =>
  withProcess(em, processId, async (tx, { order, process, rma }) => {
    if (process.state !== 'open') return;
    process.state = 'unattempted';
    await commentRefusal(
      tx,
      { process, orderStatus: order.status, why: whyUnattempted(rma?.incrementId ?? null) },
      rma,
    );
  });

/** While it is open its result is unknown. When every provider passed, the sentence names no provider. */
function sentenceOf({ process, why }: Why): string {
  const whose = `A return processed by ${whoRan(process.providerCode, process.stage)}`;
  if (process.state === 'open') return `${whose} is undecided: ${why}`;
  return process.state === 'unattempted' ? `A return was not processed: ${why}` : `${whose} did not go through: ${why}`;
}

/** One sentence for the order's history: the provider and the reason (spec 4.8). */
export async function commentRefusalOnOrder(em: EntityManager, input: Why): Promise<void> {
  const { process, orderStatus: status } = input;
  await addOrderComment(em, { orderId: process.orderId, comment: sentenceOf(input), status });
}

/** The same for the return's history, where there is a return. */
async function commentRefusal(em: EntityManager, input: Why, rma: LockedReturn | undefined): Promise<void> {
  await commentRefusalOnOrder(em, input);
  if (!rma) return;
  await addReturnComment(em, { returnId: rma.returnId, comment: sentenceOf(input), status: rma.status });
}

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

const legsOf = sql('process-steps.legsOf')`
  select r.base_amount, r.amount, c.applies_as
  from order_credit_return r join order_credit c on c.credit_id = r.credit_id
  where r.credit_memo_id = $creditMemoId`;

/** Stock is locked last. Damaged goods are written off, others go back to their source. */
async function moveGoods(em: EntityManager, { order, process, memo }: Finished): Promise<void> {
  const items = await linesOfProcess(em, process);
  const good = new Map(perLine(items.filter((item) => !isDamaged(item))).map((line) => [line.orderItemId, line.qty]));
  const lines = perLine(items).map((line) => ({ ...line, qtyToStock: good.get(line.orderItemId) ?? none }));
  await moveRefundedStock(em, { order, creditMemoId: memo.entityId, lines, readReturned });
}

const isDamaged = ({ condition }: ProcessLine) => condition !== null && inspectionOf(condition) === 'damaged';
