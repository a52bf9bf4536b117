import type { EntityManager } from '@mikro-orm/postgresql';
import type { BulkProgress, OperationEnd } from '../../domain/bulk/operation-status.ts';
import { integer, orNull, text } from '../support/kinds.ts';
import { of, rowOf } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { Bulk, BulkOperation } from './bulk.entity.ts';

/** The bulk with this UUID; undefined: unknown. */
export const findBulk = async (em: EntityManager, bulkUuid: string) => (await find.first(em, { bulkUuid }))?.bulk;

const bulk = rowOf(Bulk, 'b');

const find = statement({
  takes: { bulkUuid: text },
  gives: { bulk },
  text: `select ${bulk.columns} from bulk b where b.bulk_uuid = $bulkUuid`,
});

/** The next open operations, in the order of the request. */
export const nextOperations = async (em: EntityManager, given: { bulkId: number; limit: number }): Promise<number[]> =>
  (await next.all(em, given)).map(({ operationKey }) => operationKey);

const next = statement({
  takes: { bulkId: integer, limit: integer },
  gives: of(BulkOperation, 'operationKey'),
  text: `
    select operation_key from bulk_operation where bulk_id = $bulkId and status = 4 order by operation_key limit $limit`,
});

/**
 * Locks an open operation until the transaction ends; undefined when it is done. So one worker carries it out, and a
 * second worker finds it done.
 */
export const takeOperation = (tx: EntityManager, given: { bulkId: number; operationKey: number }) =>
  take.first(tx, given);

const take = statement({
  takes: { bulkId: integer, operationKey: integer },
  gives: of(BulkOperation, 'sources'),
  text: `
    select sources from bulk_operation
    where bulk_id = $bulkId and operation_key = $operationKey and status = 4 for update`,
});

/** Writes an operation's result and deletes its request. Does nothing when it is done already. */
export async function endOperation(
  tx: EntityManager,
  { bulkId, operationKey, status, message, errorCode, result }: OperationEnd & { bulkId: number; operationKey: number },
): Promise<void> {
  await end.run(tx, { bulkId, operationKey, status, message, errorCode, result });
}

const end = statement({
  takes: {
    bulkId: integer,
    operationKey: integer,
    status: integer,
    message: orNull(text),
    errorCode: orNull(integer),
    result: orNull(text),
  },
  text: `
    update bulk_operation set status = $status, sources = null, result_message = $message, error_code = $errorCode,
      result = $result
    where bulk_id = $bulkId and operation_key = $operationKey and status = 4`,
});

/** Counts the results of a bulk, once per batch. It is finished when nothing is open. A repeat counts the same. */
export async function countProgress(em: EntityManager, bulkId: number): Promise<BulkProgress> {
  const row = await count.first(em, { bulkId });
  if (!row) throw new Error(`bulk ${bulkId} is gone`);
  const { operations, complete, failed, rejected } = row;
  return { operations, complete, failed, rejected, isDone: complete + failed + rejected >= operations };
}

const count = statement({
  takes: { bulkId: integer },
  gives: of(Bulk, 'operations', 'complete', 'failed', 'rejected'),
  text: `
    update bulk b set complete = n.complete, failed = n.failed, rejected = n.rejected, updated_at = now(),
      finished_at = case when n.open = 0 then coalesce(b.finished_at, now()) end
    from (select count(*) filter (where status = 1)::integer as complete,
        count(*) filter (where status in (2, 3))::integer as failed,
        count(*) filter (where status = 5)::integer as rejected,
        count(*) filter (where status = 4)::integer as open
      from bulk_operation where bulk_id = $bulkId) n
    where b.bulk_id = $bulkId
    returning b.operations, b.complete, b.failed, b.rejected`,
});

/** Unfinished bulks without progress for a minute. */
export const findUnfollowedBulks = async (em: EntityManager, given: { limit: number }): Promise<string[]> =>
  (await unfollowed.all(em, given)).map(({ bulkUuid }) => bulkUuid);

const unfollowed = statement({
  takes: { limit: integer },
  gives: of(Bulk, 'bulkUuid'),
  text: `
    select bulk_uuid from bulk where finished_at is null and updated_at < now() - interval '1 minute'
    order by updated_at limit $limit`,
});
