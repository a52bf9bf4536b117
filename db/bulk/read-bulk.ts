import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { count, integer, definite, text } from '../support/entity-columns.ts';
import { asListed } from '../support/rows.ts';
import { search } from '../support/search.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Bulk, BulkOperation } from './bulk.entity.ts';

export type BulkRow = RowFrom<typeof selectBulk>;

export const readBulk = (em: EntityManager, bulkUuid: string): Promise<BulkRow | undefined> =>
  selectBulk.first(em, { bulkUuid });

const selectBulk = statement({
  takes: { bulkUuid: text },
  gives: asListed(Bulk, 'bulkId', 'bulkUuid', 'userType', 'userId', 'route', 'operations', 'startedAt'),
  text: `
    select bulk_id, bulk_uuid, user_type, user_id, route, operations, started_at from bulk
    where bulk_uuid = $bulkUuid`,
});

export type OperationRow = RowFrom<typeof operations>;

/** Operations in the order of the request, from a key on. */
export const readOperations = (em: EntityManager, page: { bulkId: number; from: number; limit: number }) =>
  operations.all(em, page);

const operations = statement({
  takes: { bulkId: integer, from: integer, limit: integer },
  gives: asListed(BulkOperation, 'operationKey', 'status', 'resultMessage', 'errorCode', 'result'),
  text: `
    select operation_key, status, result_message, error_code, result from bulk_operation
    where bulk_id = $bulkId and operation_key >= $from order by operation_key limit $limit`,
});

/** How many operations of a bulk have this status; 0 for an unknown bulk. */
export const countOperations = async (em: EntityManager, input: { bulkUuid: string; status: number }) =>
  (await counted.first(em, input))?.operations ?? 0;

const counted = statement({
  takes: { bulkUuid: text, status: integer },
  gives: { operations: definite(count) },
  text: `
    select count(*) as operations from bulk_operation o join bulk b using (bulk_id)
    where b.bulk_uuid = $bulkUuid and o.status = $status`,
});

export interface FoundOperation {
  operation_key: number;
  bulk_uuid: string;
  route: string;
  status: number;
  result_message: string | null;
  error_code: number | null;
}

/** Searches the operations of all bulks. */
export const searchOperations = (em: EntityManager, criteria: SearchCriteria) =>
  search<FoundOperation>(em, criteria, {
    // Every operation has a bulk: `left` lets the database leave it out where nothing of it is asked for.
    table: '(select o.*, b.bulk_uuid, b.route from bulk_operation o left join bulk b using (bulk_id)) o',
    columns: 'operation_id, operation_key, bulk_uuid, route, status, result_message, error_code',
    fields: {
      id: { column: 'operation_key', type: 'integer' },
      bulk_uuid: { column: 'bulk_uuid', type: 'code' },
      status: { column: 'status', type: 'integer' },
      error_code: { column: 'error_code', type: 'integer' },
      start_time: { column: 'started_at', type: 'timestamp' },
    },
    order: 'operation_id',
    kept: { list: 'bulk_operation', alias: 'o' },
  });
