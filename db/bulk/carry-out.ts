import type { EntityManager } from '@mikro-orm/postgresql';
import { operationStatus, type BulkProgress, type OperationEnd, type OperationSources } from '../../domain/bulk.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { inUse } from '../../domain/idempotency.ts';

import { rowOf } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import { joined, transact } from '../support/transact.ts';
import { Bulk } from './bulk.entity.ts';

/** The bulk with this UUID; undefined: unknown. */
export const findBulk = async (em: EntityManager, bulkUuid: string) =>
  (await selectBulkByUuid.first(em, { bulkUuid }))?.bulk;

const bulk = rowOf(Bulk, 'b');

const selectBulkByUuid = sql('carry-out.selectBulkByUuid', { gives: { bulk } })`
  select ${bulk.columns} from bulk b where b.bulk_uuid = $bulkUuid`;

/** The next open operations, in the order of the request. */
export const nextOperations = async (em: EntityManager, input: { bulkId: number; limit: number }): Promise<number[]> =>
  (await next.all(em, input)).map(({ operationKey }) => operationKey);

const next = sql('carry-out.next')`
  select operation_key from bulk_operation where bulk_id = $bulkId and status = 4 order by operation_key
    limit $limit`;

/**
 * Locks an open operation until the transaction ends; undefined when it is done. So one worker carries it out, and a
 * second worker finds it done.
 */
const takeOperation = (tx: EntityManager, input: { bulkId: number; operationKey: number }) => take.first(tx, input);

const take = sql('carry-out.take')`
  select sources from bulk_operation
  where bulk_id = $bulkId and operation_key = $operationKey and status = 4 for update`;

/** Writes an operation's result and deletes its request. Does nothing when it is done already. */
async function endOperation(
  tx: EntityManager,
  { bulkId, operationKey, status, message, errorCode, result }: OperationEnd & { bulkId: number; operationKey: number },
): Promise<void> {
  await end.run(tx, { bulkId, operationKey, status, message, errorCode, result });
}

const end = sql('carry-out.end')`
  update bulk_operation set status = $status, sources = null, result_message = $message?, error_code = $errorCode?,
    result = $result?
  where bulk_id = $bulkId and operation_key = $operationKey and status = 4`;

/** Counts the results of a bulk, once per batch. It is finished when nothing is open. A repeat counts the same. */
export async function countProgress(em: EntityManager, bulkId: number): Promise<BulkProgress> {
  const row = await count.first(em, { bulkId });
  if (!row) throw new Error(`bulk ${bulkId} is gone`);
  const { operations, complete, failed, rejected } = row;
  return { operations, complete, failed, rejected, isDone: complete + failed + rejected >= operations };
}

const count = sql('carry-out.count')`
  update bulk b set complete = n.complete, failed = n.failed, rejected = n.rejected, updated_at = now(),
    finished_at = case when n.open = 0 then coalesce(b.finished_at, now()) end
  from (select count(*) filter (where status = 1)::integer as complete,
      count(*) filter (where status in (2, 3))::integer as failed,
      count(*) filter (where status = 5)::integer as rejected,
      count(*) filter (where status = 4)::integer as open
    from bulk_operation where bulk_id = $bulkId) n
  where b.bulk_id = $bulkId
  returning b.operations, b.complete, b.failed, b.rejected`;

/** Unfinished bulks without progress for a minute. */
export const findUnfollowedBulks = async (em: EntityManager, input: { limit: number }): Promise<string[]> =>
  (await unfollowed.all(em, input)).map(({ bulkUuid }) => bulkUuid);

const unfollowed = sql('carry-out.unfollowed')`
  select bulk_uuid from bulk where finished_at is null and updated_at < now() - interval '1 minute'
  order by updated_at limit $limit`;

interface Operation {
  bulkId: number;
  operationKey: number;
}

interface Work {
  /** True when the work and the note of its result share one transaction: a crash leaves both or neither. */
  isOneTransaction: boolean;
  /** Gets the transaction when `isOneTransaction`. */
  run: (sources: OperationSources, em?: EntityManager) => Promise<{ text: string; committed: () => void }>;
}

/**
 * Carries out one operation of a bulk, once: a later call finds it done and does nothing. A refusal rolls back what the
 * operation wrote, and is noted as its result. A fault is thrown.
 */
export async function carryOut(em: EntityManager, operation: Operation, work: Work): Promise<void> {
  if (work.isOneTransaction) await atOnce(em, operation, work);
  else await severally(em, operation, work);
}

async function atOnce(em: EntityManager, operation: Operation, { run }: Work): Promise<void> {
  let tell: () => void = () => undefined;
  await transact(em, async (tx) => {
    tell = () => undefined;
    const taken = await takeOperation(tx, operation);
    if (!taken?.sources) return;
    const { sources } = taken;
    const ended = await endOf(async () => {
      // A savepoint: a refusal rolls back the work, but keeps the lock on the operation.
      const { text, committed } = await transact(joined(tx), (inner) => run(sources, joined(inner)));
      tell = committed;
      return text;
    });
    await endOperation(tx, { ...operation, ...ended });
  });
  tell();
}

/** Its work is found by the operation's idempotency key: a second run continues what the first one did. */
async function severally(em: EntityManager, operation: Operation, { run }: Work): Promise<void> {
  const taken = await transact(em, (tx) => takeOperation(tx, operation));
  if (!taken?.sources) return;
  const { sources } = taken;
  const ended = await endOf(async () => {
    const { text, committed } = await run(sources);
    committed();
    return text;
  });
  await transact(em, (tx) => endOperation(tx, { ...operation, ...ended }));
}

/**
 * Notes a fault, so that the others of the bulk go on: one that would come again with every repeat, or one that may
 * have passed by the time somebody sends the same again.
 */
export const endWithFault = (em: EntityManager, operation: Operation, { isPassing }: { isPassing: boolean }) =>
  transact(em, (tx) => endOperation(tx, { ...operation, ...(isPassing ? unavailable : broken), result: null }));

const broken = {
  status: operationStatus.failed,
  message: 'Internal Error. Details are available in the log of the worker.',
  errorCode: 500,
};

const unavailable = {
  status: operationStatus.failedForNow,
  message: 'Something that this needs was away for minutes. Read what became of it, then send it again.',
  errorCode: 503,
};

/** Too many calls, a service that is away, an unknown result: a later try may succeed. */
const momentary: ReadonlySet<number> = new Set([429, 503, 504]);

/**
 * So may what was begun before a crash and is still under way: its claim, or its return, is free in some seconds. Each
 * of these refusals asks for the same request once more.
 */
const underWay: ReadonlySet<unknown> = new Set([inUse, 'return_not_ready', 'sale_return_being_created']);

const isMomentary = ({ status, parameters }: PosError) =>
  momentary.has(status) || (status === 409 && underWay.has(Reflect.get(parameters ?? {}, 'outcome')));

/** Longer answers are not kept: the record itself can be read. */
const mostStored = 16_384;

async function endOf(work: () => Promise<string>): Promise<OperationEnd> {
  try {
    const text = await work();
    const result = text.length > mostStored ? null : text;
    return { status: operationStatus.complete, message: 'Service execution success', errorCode: null, result };
  } catch (error) {
    // A temporary refusal is thrown, so that the batch is repeated.
    if (!(error instanceof PosError) || isMomentary(error)) throw error;
    const status = error.status === 409 ? operationStatus.failedForNow : operationStatus.failed;
    return { status, message: inWords(error.refusal), errorCode: error.status, result: null };
  }
}
