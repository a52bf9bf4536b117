import type { EntityManager } from '@mikro-orm/postgresql';
import { memoRequest, plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { bookMemoWithCredits } from '../credits/book-memo-with-credits.ts';
import { lockOrder, rowsOfOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { judgeMoney } from '../refunds/judge-money.ts';
import { itemsOf, openRefundAttempt, type OpenAttempt } from '../refunds/open-refund-attempt.ts';
import { returnComments } from '../returns/add-return-comment.ts';
import { approveInFull } from '../returns/approve-in-full.ts';
import { moveTo } from '../returns/change-status.ts';
import { endSettled } from '../returns/close-settled.ts';
import { newReturnRows } from '../returns/insert-return.ts';
import type { ReturnNumbers } from '../returns/new-return.ts';
import { readNewReturn, type LockedReturn, type Seen } from '../returns/lock-return.ts';
import { moveArrival, planArrival } from '../returns/receive-goods.ts';
import { Return, ReturnItem } from '../returns/return.entity.ts';
import { kept, saveRows } from '../support/kept-rows.ts';
import { tooLate } from '../support/begin-before.ts';
import { flag, integer, momentText, orNull, surely } from '../support/kinds.ts';
import { refuseTaken } from '../support/refuse-taken.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { payOut, readLegs } from './finish-process.ts';
import { judgeRun, type NewProcess } from './open-process.ts';
import { goodsOfReturn, inspectAsReported, processedAtOnce } from './record-taken.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';
import { askedForAnother, runOfRequest } from './run-of-request.ts';
import { shopNow } from '../support/shop-clock.ts';

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
export const collapseReturn = (em: EntityManager, wanted: CollapsedReturn): Promise<Collapsed> =>
  // Where the key is taken, a concurrent request with it on another order was faster.
  refuseTaken(
    () =>
      transact(em, async (tx) => {
        const order = await lockOrder(tx, wanted.orderId);
        const known = await runOfRequest(tx, wanted);
        if (known) return { ...known, isReused: true };
        const customerId = await judgeRun(tx, order, wanted);
        return carryOut(tx, order, { ...wanted, customerId });
      }),
    askedForAnother,
  );

/** Stock is locked last. */
async function carryOut(em: EntityManager, order: LockedOrder, wanted: CollapsedReturn): Promise<Collapsed> {
  const drawn = await draw.first(em, { beginBefore: wanted.beginBefore ?? null });
  if (!drawn) throw new Error('no number for a collapsed return');
  if (drawn.isLate === true) throw tooLate();
  const { items, canRefundThrough } = wanted;
  await judgeMoney(em, { order, returnId: null, items, method: methodOfProcess(wanted), canRefundThrough });
  const rma = await makeReturn(em, order, wanted);
  approveInFull(rma);
  inspectAsReported(rma);
  const arrival = await planArrival(em, { order, rma });
  const parked = park(rma, order, wanted);
  const run = runRow(wanted, drawn);
  const write = async (end: EndOfRun, written: readonly Written[]) => {
    if (end.state === 'done') rma.followedAt = null;
    const tables = [...rowsOfOrder(order), kept(Return, [rma]), kept(ReturnItem, rma.items)];
    const rows = runRows({ ...run, ...end }, wanted);
    await saveRows(em, tables, [arrival.movements, ...together(parked, written), ...rows]);
    await moveArrival(em, order, arrival);
    wanted.seen?.({ order, rma });
  };
  const { processId, returnId } = run;
  const attempt = await openAttempt(em, { order, rma, wanted });
  if (attempt) {
    await write({ state: 'open', refundAttemptId: attempt.attemptId }, []);
    return { processId, returnId, attempt, isReused: false };
  }
  const { paid, written } = await giveBack(em, { order, rma, wanted });
  await write(paid, written);
  return { processId, returnId, isReused: false };
}

/** The intent of a gateway refund; undefined where the money goes another way, or all of it is credit. */
async function openAttempt(em: EntityManager, { order, rma, wanted }: GivingBack): Promise<OpenAttempt | undefined> {
  if (methodOfProcess(wanted) !== 'original_payment') return undefined;
  const { canRefundThrough } = wanted;
  return openRefundAttempt(em, { order, rma, canRefundThrough, options: plainSettlement });
}

const draw = statement({
  takes: { beginBefore: orNull(momentText) },
  gives: { processId: surely(integer), isLate: orNull(flag) },
  text: `
    select nextval('return_process_process_id_seq')::int as process_id,
      clock_timestamp() > $beginBefore::timestamptz as is_late`,
});

async function makeReturn(em: EntityManager, order: LockedOrder, wanted: CollapsedReturn): Promise<LockedReturn> {
  const { customerId, comment, author, numbers } = wanted;
  const rows = newReturnRows(numbers, {
    rma: { orderId: order.entityId, customerId, providerCode: builtInCode, comment, followedAt: shopNow() },
    ...goodsOfReturn(order, wanted.items),
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

const runRow = (wanted: CollapsedReturn, { processId }: RowFrom<typeof draw>) => ({
  processId,
  orderId: wanted.orderId,
  requestKey: wanted.requestKey,
  customerId: wanted.customerId,
  resolution: wanted.resolution,
  isOnline: wanted.isOnline,
  comment: wanted.comment,
  author: wanted.author.slice(0, 255),
  stage: 'taken' as const,
  providerCode: builtInCode,
  returnId: wanted.numbers.returnId,
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
