import type { EntityManager } from '@mikro-orm/postgresql';
import { memoRequest, plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { builtInCode } from '../../domain/returns/eligibility.ts';
import { inspectionOf, isTerminal, methodOfProcess } from '../../domain/returns/return-status.ts';
import { bookMemoWithCredits } from '../credits/give-credits-back.ts';
import { lockOrder, rowsOfOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { itemsOf, openRefundAttempt, type OpenAttempt } from '../refunds/refund-intent.ts';
import { judgeMoney } from '../refunds/refundable-money.ts';
import {
  addReturnComment,
  changeStatus,
  moveTo,
  returnComments,
  type NewReturnComment,
} from '../returns/add-return-comment.ts';
import { approveInFull, insertReturn, newReturnRows } from '../returns/create-return.ts';
import { lockReturn, readNewReturn, type LockedReturn, type Seen } from '../returns/lock-return.ts';
import { moveArrival, planArrival, receiveGoods } from '../returns/receive-return.ts';
import { Return, ReturnItem } from '../returns/return.entity.ts';
import { endSettled } from '../returns/settle-return.ts';
import type { ReturnNumbers } from '../returns/sold-order.ts';
import { tooLate } from '../support/begin-before.ts';
import { flag, momentText, orNull } from '../support/entity-columns.ts';
import { refuseTaken } from '../support/refuse-taken.ts';
import { cached, saveRows } from '../support/save-rows.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { judgeRun, type NewProcess } from './open-process.ts';
import { linesOfProcess, payOut, readLegs, withProcess, type LockedProcess } from './process-steps.ts';
import { requestedForAnother, runOfRequest, type ProcessedItem } from './process.repository.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';

export interface TakenRun {
  processId: number;
  providerCode: string;
  /** The provider's reference of the return; null for the built-in one. */
  reference: string | null;
  isRestockedHere: boolean;
}

/**
 * Records that a provider accepted a collapsed return (spec 3.2, 4.8). One transaction creates its return when there is
 * none, approves it in full and receives its goods. The return then waits for its money.
 *
 * Safe to repeat: an accepted one is unchanged. Refused with: 400 no destination for the goods, money that cannot go
 * back.
 */
export const recordTaken = (em: EntityManager, taken: TakenRun): Promise<void> =>
  withProcess(em, taken.processId, async (tx, locked) => {
    const { order, process } = locked;
    if (process.state !== 'open' || process.stage !== 'asking') return;
    const rma = locked.rma ?? (await makeReturn(tx, locked, taken));
    process.stage = 'taken';
    process.providerCode = taken.providerCode;
    process.returnId = rma.returnId;
    if (isTerminal(rma.status)) return;
    if (taken.reference !== null) rma.providerReference = taken.reference;
    await takeIn(tx, locked, { rma, isRestockedHere: taken.isRestockedHere });
    rma.refundMethod = methodOfProcess(process);
    await changeStatus(tx, rma, 'awaiting_refund');
    await addReturnComment(tx, processedAtOnce(rma, { ...process, orderIncrementId: order.incrementId }));
  });

/** The line of a return's history about its collapsed return. */
const processedAtOnce = (
  { returnId, status }: Pick<LockedReturn, 'returnId' | 'status'>,
  { resolution, author, orderIncrementId }: { resolution: string; author: string | null; orderIncrementId: string },
): NewReturnComment => ({
  returnId,
  comment: `Processed at once as ${resolution}; order ${orderIncrementId}.`,
  status,
  author,
});

async function makeReturn(em: EntityManager, locked: LockedProcess, { providerCode }: TakenRun): Promise<LockedReturn> {
  const { order, process } = locked;
  const lines = await linesOfProcess(em, process);
  const rma = await insertReturn(em, {
    storeId: order.storeId,
    rma: {
      orderId: order.entityId,
      customerId: process.customerId,
      providerCode,
      comment: process.comment,
    },
    ...goodsOfReturn(order, lines),
    author: process.author,
  });
  // The order is unchanged so far: it is read again, now with its return.
  const made = await lockReturn(em, rma.returnId);
  Object.assign(locked, made);
  return made.rma;
}

/** The lines of a collapsed return as a return asks for them, beside the order's lines that they are of. */
const goodsOfReturn = (order: LockedOrder, lines: readonly Omit<ProcessedItem, 'resolutionId'>[]) => ({
  items: lines.map(({ orderItemId, qty, reason, condition, resolution }) => ({
    orderItemId,
    qtyRequested: qty,
    reason,
    condition,
    resolution,
  })),
  sold: order.lines.map(({ itemId, name, sku }) => ({ orderItemId: itemId, name, sku })),
});

const undecided: readonly string[] = ['pending', 'requested', 'authorized', 'partially_authorized'];

/**
 * Works from any status of the return: it approves undecided lines in full and receives missing goods. Their money is
 * judged before they move; whether a gateway can give it back was judged when the run was opened.
 */
async function takeIn(
  em: EntityManager,
  { order, process }: LockedProcess,
  { rma, isRestockedHere }: { rma: LockedReturn; isRestockedHere: boolean },
): Promise<void> {
  if (undecided.includes(rma.status)) approveInFull(rma);
  if (rma.status !== 'approved') return;
  const { returnId } = rma;
  const method = methodOfProcess(process);
  await judgeMoney(em, { order, returnId, items: itemsOf(rma), method, canRefundThrough: () => true });
  inspectAsReported(rma);
  if (!isRestockedHere) for (const item of rma.items) item.returnToStock = false;
  await receiveGoods(em, { order, rma });
}

/** No inspection took place, so the condition that the request named decides where the goods go. */
function inspectAsReported(rma: LockedReturn): void {
  for (const item of rma.items) {
    const seen = item.inspectedCondition ?? (item.condition === null ? undefined : inspectionOf(item.condition));
    // Without a location there is no known source for damaged goods: they are written off (our choice).
    item.inspectedCondition = seen === 'damaged' && rma.locationId === null ? 'dispose' : (seen ?? null);
  }
}

export interface CollapsedReturn extends NewProcess {
  /** The id and the number of its return, drawn before. */
  numbers: ReturnNumbers;
  /** Until then it may begin, by the database's clock. Absent: at any time. */
  beginBefore?: string | undefined;
  /** Called with the rows as the transaction leaves them. */
  seen?: Seen | undefined;
}

/** What was written; an earlier run of the same request may have written it. */
export interface Collapsed {
  processId: number;
  /** Null: an earlier request with this key has no return yet; its own workflow goes on. */
  returnId: number | null;
  /** The refund to carry out now. Absent: it has ended, or an earlier run of the request wrote it. */
  attempt?: OpenAttempt;
  isReused: boolean;
}

/**
 * Does a collapsed return in one transaction under the order lock (spec 4.8 process): all of it where our own database
 * decides everything, and up to the call of the gateway where the money goes through one. The returns are the built-in
 * ones.
 *
 * Safe to repeat: a request with a key that is known is answered by what its first run wrote.
 *
 * Refused as `openProcess`, and as a settlement; 503 too late. Nothing is written then.
 */
export const collapseReturn = (em: EntityManager, requested: CollapsedReturn): Promise<Collapsed> =>
  // Where the key is taken, a concurrent request with it on another order was faster.
  refuseTaken(
    () =>
      transact(em, async (tx) => {
        const order = await lockOrder(tx, requested.orderId);
        const known = await runOfRequest(tx, requested);
        if (known) return { ...known, isReused: true };
        const customerId = await judgeRun(tx, order, requested);
        return carryOut(tx, order, { ...requested, customerId });
      }),
    requestedForAnother,
  );

/** Stock is locked last. */
async function carryOut(em: EntityManager, order: LockedOrder, requested: CollapsedReturn): Promise<Collapsed> {
  const drawn = await draw.first(em, { beginBefore: requested.beginBefore ?? null });
  if (!drawn) throw new Error('no number for a collapsed return');
  if (drawn.isLate === true) throw tooLate();
  const { items, canRefundThrough } = requested;
  await judgeMoney(em, { order, returnId: null, items, method: methodOfProcess(requested), canRefundThrough });
  const rma = await collapseReturnMakeReturn(em, order, requested);
  approveInFull(rma);
  inspectAsReported(rma);
  const arrival = await planArrival(em, { order, rma });
  const parked = park(rma, order, requested);
  const run = runRow(requested, drawn);
  const write = async (end: EndOfRun, written: readonly Written[]) => {
    if (end.state === 'done') rma.followedAt = null;
    const tables = [...rowsOfOrder(order), cached(Return, [rma]), cached(ReturnItem, rma.items)];
    const rows = runRows({ ...run, ...end }, requested);
    const moved = await moveArrival(em, { order, rma }, arrival);
    await saveRows(em, tables, [...together(moved, together(parked, written)), ...rows]);
    requested.seen?.({ order, rma });
  };
  const { processId, returnId } = run;
  const attempt = await openAttempt(em, { order, rma, wanted: requested });
  if (attempt) {
    await write({ state: 'open', refundAttemptId: attempt.attemptId }, []);
    return { processId, returnId, attempt, isReused: false };
  }
  const { paid, written } = await giveBack(em, { order, rma, wanted: requested });
  await write(paid, written);
  return { processId, returnId, isReused: false };
}

/** The intent of a gateway refund; undefined where the money goes another way, or all of it is credit. */
async function openAttempt(em: EntityManager, { order, rma, wanted }: GivingBack): Promise<OpenAttempt | undefined> {
  if (methodOfProcess(wanted) !== 'original_payment') return undefined;
  const { canRefundThrough } = wanted;
  return openRefundAttempt(em, { order, rma, canRefundThrough, options: plainSettlement });
}

const draw = sql('collapse-return.draw', {
  takes: { beginBefore: orNull(momentText) },
  gives: { isLate: orNull(flag) },
})`
  select nextval('return_process_process_id_seq') as process_id,
    clock_timestamp() > $beginBefore::timestamptz as is_late`;

async function collapseReturnMakeReturn(
  em: EntityManager,
  order: LockedOrder,
  requested: CollapsedReturn,
): Promise<LockedReturn> {
  const { customerId, comment, author, numbers } = requested;
  const rows = newReturnRows(numbers, {
    rma: { orderId: order.entityId, customerId, providerCode: builtInCode, comment, followedAt: shopNow() },
    ...goodsOfReturn(order, requested.items),
    author: author.slice(0, 255),
  });
  await insertRows(em, rows);
  return readNewReturn(em, numbers.returnId);
}

/** Moves the return to `awaiting_refund`, so that its history has the same lines as in the workflow. */
function park(rma: LockedReturn, order: LockedOrder, { resolution, isOnline, author }: CollapsedReturn): Written[] {
  rma.refundMethod = methodOfProcess({ resolution, isOnline });
  const audited = moveTo(rma, 'awaiting_refund');
  const run = { resolution, author: author.slice(0, 255), orderIncrementId: order.incrementId };
  return [audited, returnComments([processedAtOnce(rma, run)])];
}

interface GivingBack {
  order: LockedOrder;
  rma: LockedReturn;
  wanted: CollapsedReturn;
}

/** Books the memo, its credit legs and the promised store credit. The caller writes the rows that end the return. */
async function giveBack(em: EntityManager, { order, rma, wanted }: GivingBack) {
  const { memo, legs } = await bookMemoWithCredits(em, {
    order,
    request: memoRequest(itemsOf(rma), plainSettlement, order),
    isOnline: false,
    movesStock: false,
  });
  const written = endSettled({ order, rma, memo, legs, method: methodOfProcess(wanted), difference: null });
  const returned = legs.length === 0 ? [] : await readLegs(em, memo.entityId);
  const paid = await payOut(em, { order, process: wanted, memo, legs: returned });
  return { paid, written };
}

/** Puts rows of one table into one part of the statement, so that histories keep their order in time. */
const together = (first: readonly Written[], then: readonly Written[]): Written[] => [
  ...first.map((one) => ({ ...one, rows: [...one.rows, ...then.flatMap((other) => rowsFor(one, other))] })),
  ...then.filter(({ table }) => !first.some((one) => one.table === table)),
];

const rowsFor = ({ table }: Written, other: Written) => (other.table === table ? other.rows : []);

const runRow = (requested: CollapsedReturn, { processId }: RowFrom<typeof draw>) => ({
  processId,
  orderId: requested.orderId,
  requestKey: requested.requestKey,
  customerId: requested.customerId,
  resolution: requested.resolution,
  isOnline: requested.isOnline,
  comment: requested.comment,
  author: requested.author.slice(0, 255),
  stage: 'taken' as const,
  providerCode: builtInCode,
  returnId: requested.numbers.returnId,
});

type Run = ReturnType<typeof runRow>;
type Paid = Awaited<ReturnType<typeof payOut>>;
type EndOfRun = Paid | { state: 'open'; refundAttemptId: number };

function runRows(run: Run & EndOfRun, { items }: CollapsedReturn): Written[] {
  const now = shopNow();
  return [
    into(ReturnProcess, [{ ...run, createdAt: now, updatedAt: now }]),
    into(
      ReturnProcessItem,
      items.map(({ resolutionId: _option, ...item }) => ({ ...item, process: run.processId })),
    ),
  ];
}
