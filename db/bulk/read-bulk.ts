import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { listedOf, type ListedRow } from '../support/rows.ts';
import { recordsOf, searchesGrowing } from '../support/search-growing.ts';
import type { Found } from '../support/search.ts';
import { Bulk, BulkOperation } from './bulk.entity.ts';

export type BulkRow = ListedRow<typeof Bulk>;

export async function readBulk(em: EntityManager, bulkUuid: string): Promise<BulkRow | undefined> {
  const bulk = await freshReads(em).findOne(Bulk, { bulkUuid });
  return bulk ? listedOf(Bulk, bulk) : undefined;
}

const operationKeys = ['operationKey', 'status', 'resultMessage', 'errorCode', 'result'] as const;
export type OperationRow = ListedRow<typeof BulkOperation, (typeof operationKeys)[number]>;

/** Operations in the order of the request, from a key on. */
export async function readOperations(
  em: EntityManager,
  { bulkId, from, limit }: { bulkId: number; from: number; limit: number },
): Promise<OperationRow[]> {
  const operations = await freshReads(em).find(
    BulkOperation,
    { bulk: bulkId, operationKey: { $gte: from } },
    { fields: operationKeys, orderBy: { operationKey: 'asc' }, limit },
  );
  return operations.map((operation) => listedOf(BulkOperation, operation, operationKeys));
}

/** How many operations of a bulk have this status; 0 for an unknown bulk. */
export const countOperations = (
  em: EntityManager,
  { bulkUuid, status }: { bulkUuid: string; status: number },
): Promise<number> => freshReads(em).count(BulkOperation, { bulk: { bulkUuid }, status });

export interface FoundOperation {
  operation_key: number;
  bulk_uuid: string;
  route: string;
  status: number;
  result_message: string | null;
  error_code: number | null;
}

const found = searchesGrowing({
  // Every operation has a bulk: `left` lets the database leave it out where nothing of it is asked for.
  table: '(select o.*, b.bulk_uuid, b.route from bulk_operation o left join bulk b using (bulk_id)) o',
  fields: {
    id: { column: 'operation_key', type: 'integer' },
    bulk_uuid: { column: 'bulk_uuid', type: 'code' },
    status: { column: 'status', type: 'integer' },
    error_code: { column: 'error_code', type: 'integer' },
    start_time: { column: 'started_at', type: 'timestamp' },
  },
  order: 'operation_id',
  kept: { list: 'bulk_operation', alias: 'o' },
  ...recordsOf<BulkOperation>(BulkOperation, 'operationId', ['bulk']),
});

/** Searches the operations of all bulks. */
export async function searchOperations(em: EntityManager, criteria: SearchCriteria): Promise<Found<FoundOperation>> {
  const { rows, totalCount } = await found(em, criteria);
  return { rows: rows.map(foundOf), totalCount };
}

const foundOf = (operation: BulkOperation): FoundOperation => ({
  ...{ operation_key: operation.operationKey, bulk_uuid: operation.bulk.bulkUuid, route: operation.bulk.route },
  ...{ status: operation.status, result_message: operation.resultMessage ?? null },
  error_code: operation.errorCode ?? null,
});
