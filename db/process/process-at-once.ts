import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { memoRequest, plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { bookMemoWithCredits } from '../credits/book-memo-with-credits.ts';
import { lockOrder, rowsOfOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { itemsOf, openRefundAttempt, type OpenAttempt } from '../refunds/open-refund-attempt.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { returnComments } from '../returns/add-return-comment.ts';
import { approveInFull } from '../returns/approve-in-full.ts';
import { moveTo } from '../returns/change-status.ts';
import { endSettled } from '../returns/close-settled.ts';
import { newReturnRows } from '../returns/insert-return.ts';
import { readNewReturn, type LockedReturn } from '../returns/lock-return.ts';
import { moveArrival, planArrival } from '../returns/receive-goods.ts';
import { Return, ReturnItem } from '../returns/return.entity.ts';
import { kept, saveRows } from '../support/kept-rows.ts';
import { integer, surely, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { payOut, readLegs } from './finish-process.ts';
import { judgeRun, type NewProcess } from './open-process.ts';
import { goodsOfReturn, inspectAsReported, processedAtOnce } from './record-taken.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';
import { runOfRequest } from './run-of-request.ts';

export type ProcessAtOnce = Omit<NewProcess, 'canRefundThrough'> & Partial<ThroughGateway>;

/** A finished collapsed return, as it was written. */
export interface EndedAtOnce extends Run, Paid {
  attempt?: undefined;
  creditMemoIncrementId: string;
  returnIncrementId: string;
  paymentMethod: string;
}

/** One whose goods are in, and whose refund attempt is open: it ends with the verdict about that. */
export interface BegunAtOnce {
  processId: number;
  attempt: OpenAttempt;
}

export type ProcessedAtOnce = EndedAtOnce | BegunAtOnce;

/**
 * Does a collapsed return in one transaction under the order lock (spec 4.8 process): all of it where our own database
 * decides everything, and up to the call of the gateway where the money goes through one. The returns are the built-in
 * ones.
 *
 * Undefined: nothing was written, and the workflow must do it in steps. That is also so for a refusal and for a repeat:
 * the workflow answers them and records them.
 */
export async function processAtOnce(em: EntityManager, wanted: ProcessAtOnce): Promise<ProcessedAtOnce | undefined> {
  try {
    return await transact(em, async (tx) => {
      const order = await lockOrder(tx, wanted.orderId);
      if (await runOfRequest(tx, wanted)) return undefined;
      const customerId = await judgeRun(tx, order, wanted);
      return await carryOut(tx, order, { ...wanted, customerId });
    });
  } catch (error) {
    // A concurrent request with the same key on another order was faster.
    if (error instanceof PosError || error instanceof UniqueConstraintViolationException) return undefined;
    throw error;
  }
}

/** The steps that the workflow takes in three transactions. Stock is locked last. */
async function carryOut(em: EntityManager, order: LockedOrder, wanted: ProcessAtOnce): Promise<ProcessedAtOnce> {
  const drawn = await draw.first(em, { storeId: order.storeId });
  if (!drawn) throw new Error('no numbers for a return');
  const rma = await makeReturn(em, order, { wanted, drawn });
  approveInFull(rma);
  inspectAsReported(rma);
  const arrival = await planArrival(em, { order, rma });
  const parked = park(rma, order, wanted);
  const run = runRow(wanted, drawn);
  const write = async (end: EndOfRun, written: readonly Written[]) => {
    const tables = [...rowsOfOrder(order), kept(Return, [rma]), kept(ReturnItem, rma.items)];
    const rows = runRows({ ...run, ...end }, wanted);
    await saveRows(em, tables, [arrival.movements, ...together(parked, written), ...rows]);
    await moveArrival(em, order, arrival);
  };
  const attempt = await openAttempt(em, { order, rma, wanted });
  if (attempt) {
    await write({ state: 'open', refundAttemptId: attempt.attemptId }, []);
    return { processId: run.processId, attempt };
  }
  const { paid, memo, written } = await giveBack(em, { order, rma, wanted });
  await write(paid, written);
  const { incrementId } = rma;
  return { ...run, ...paid, ...memo, returnIncrementId: incrementId, paymentMethod: order.payment.method };
}

/** The intent of a gateway refund; undefined where the money goes another way, or all of it is credit. */
async function openAttempt(em: EntityManager, { order, rma, wanted }: GivingBack): Promise<OpenAttempt | undefined> {
  if (methodOfProcess(wanted) !== 'original_payment') return undefined;
  const { canRefundThrough = () => false, claim } = wanted;
  return openRefundAttempt(em, { order, rma, canRefundThrough, claim, options: plainSettlement });
}

const draw = statement({
  takes: { storeId: integer },
  gives: { processId: surely(integer), returnId: surely(integer), incrementId: surely(text) },
  text: `
    select nextval('return_process_process_id_seq')::int as process_id, nextval('sale_return_return_id_seq')::int as return_id,
      next_increment_id('return', $storeId) as increment_id`,
});

interface Making {
  wanted: ProcessAtOnce;
  drawn: RowFrom<typeof draw>;
}

async function makeReturn(em: EntityManager, order: LockedOrder, { wanted, drawn }: Making): Promise<LockedReturn> {
  const { customerId, comment, author } = wanted;
  const rows = newReturnRows(drawn, {
    rma: { orderId: order.entityId, customerId, providerCode: builtInCode, comment },
    ...goodsOfReturn(order, wanted.items),
    author: author.slice(0, 255),
  });
  await insertRows(em, rows);
  return readNewReturn(em, drawn.returnId);
}

/** Moves the return to `awaiting_refund`, so that its history has the same lines as in the workflow. */
function park(rma: LockedReturn, order: LockedOrder, { resolution, isOnline, author }: ProcessAtOnce): Written[] {
  rma.refundMethod = methodOfProcess({ resolution, isOnline });
  const audited = moveTo(rma, 'awaiting_refund');
  const run = { resolution, author: author.slice(0, 255), orderIncrementId: order.incrementId };
  return [audited, returnComments([processedAtOnce(rma, run)])];
}

interface GivingBack {
  order: LockedOrder;
  rma: LockedReturn;
  wanted: ProcessAtOnce;
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
  return { paid, memo: { creditMemoIncrementId: memo.incrementId }, written };
}

/** Puts rows of one table into one part of the statement, so that histories keep their order in time. */
const together = (first: readonly Written[], then: readonly Written[]): Written[] => [
  ...first.map((one) => ({ ...one, rows: [...one.rows, ...then.flatMap((other) => rowsFor(one, other))] })),
  ...then.filter(({ table }) => !first.some((one) => one.table === table)),
];

const rowsFor = ({ table }: Written, other: Written) => (other.table === table ? other.rows : []);

const runRow = (wanted: ProcessAtOnce, { processId, returnId }: RowFrom<typeof draw>) => ({
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
  returnId,
});

type Run = ReturnType<typeof runRow>;
type Paid = Awaited<ReturnType<typeof payOut>>;
type EndOfRun = Paid | { state: 'open'; refundAttemptId: number };

function runRows(run: Run & EndOfRun, { items }: ProcessAtOnce): Written[] {
  const now = new Date();
  return [
    into(ReturnProcess, [{ ...run, createdAt: now, updatedAt: now }]),
    into(
      ReturnProcessItem,
      items.map(({ resolutionId: _option, ...item }) => ({ ...item, process: run.processId })),
    ),
  ];
}
