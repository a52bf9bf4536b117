import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { lockOrder } from '../platform/orders/lock-order.ts';
import { lockReturn, saveReturn, type LockedReturn } from '../returns/lock-return.ts';
import type { RowOf } from '../support/entity-columns.ts';
import { keep, kept } from '../support/kept-rows.ts';
import { integer } from '../support/kinds.ts';
import { of, rowOf } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';

export type ProcessRow = RowOf<typeof ReturnProcess>;
export type ProcessLine = RowOf<typeof ReturnProcessItem>;

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
  if (!subject) throw notFound('Return process with id %1 does not exist', [processId]);
  const locked = await lockSubject(em, subject);
  const found = await read.first(em, { processId });
  if (!found) throw notFound('Return process with id %1 does not exist', [processId]);
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
  saveReturn(em, { order, rma }, kept(ReturnProcess, [process]));

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

const findSubject = statement({
  takes: { processId: integer },
  gives: of(ReturnProcess, 'orderId', 'returnId'),
  text: 'select order_id, return_id from return_process where process_id = $processId',
});

const read = statement({
  takes: { processId: integer },
  gives: { process },
  text: `select ${process.columns} from return_process p where p.process_id = $processId`,
});

const readOpen = statement({
  takes: { attemptId: integer },
  gives: { process },
  text: `
    select ${process.columns} from return_process p
    where p.refund_attempt_id = $attemptId and p.state = 'open' limit 1`,
});

const readLines = statement({
  takes: { processId: integer },
  gives: { line },
  text: `select ${line.columns} from return_process_item l where l.process_id = $processId order by l.entity_id`,
});
