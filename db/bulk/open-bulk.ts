import type { EntityManager } from '@mikro-orm/postgresql';
import { operationStatus, type OperationSources } from '../../domain/bulk.ts';
import { json } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

export interface NewBulk {
  bulkUuid: string;
  userType: 'integration' | 'admin';
  userId: number;
  route: string;
  store: { storeId: number; websiteId: number; code: string };
  operations: readonly NewOperation[];
}

/** An accepted operation with its request, or a rejected one with the reason. */
export type NewOperation = { sources: OperationSources } | { rejected: string };

/** Rows in one statement: a message that is written in a few milliseconds. */
const rowsAtOnce = 500;

/**
 * Writes a bulk with its operations in one transaction, before the first one is carried out. Each call writes another
 * bulk. A bulk with only rejected operations is finished at once.
 */
export const openBulk = (em: EntityManager, { store, operations, ...bulk }: NewBulk): Promise<void> =>
  transact(em, async (tx) => {
    const rejected = operations.filter((operation) => 'rejected' in operation).length;
    const { storeId, websiteId, code: storeCode } = store;
    const row = await open.first(tx, {
      ...bulk,
      storeId,
      websiteId,
      storeCode,
      operations: operations.length,
      rejected,
    });
    if (!row) throw new Error('a bulk has no row');
    for (let at = 0; at < operations.length; at += rowsAtOnce) {
      const rows = operations.slice(at, at + rowsAtOnce).map((operation, index) => rowOf(operation, at + index));
      await insert.run(tx, { bulkId: row.bulkId, rows });
    }
  });

const rowOf = (operation: NewOperation, key: number) =>
  'rejected' in operation
    ? { key, status: operationStatus.rejected, message: operation.rejected }
    : { key, status: operationStatus.open, sources: operation.sources };

const open = sql('open-bulk.open')`
  insert into bulk (bulk_uuid, user_type, user_id, route, store_id, website_id, store_code, operations, rejected,
    finished_at)
  values ($bulkUuid, $userType, $userId, $route, $storeId, $websiteId, $storeCode, $operations, $rejected,
    case when $rejected::integer = $operations::integer then now() end)
  returning bulk_id`;

const insert = sql('open-bulk.insert', { takes: { rows: json<object[]>() } })`
  insert into bulk_operation (bulk_id, operation_key, status, sources, result_message)
  select $bulkId, key, status, sources, message
  from jsonb_to_recordset($rows::jsonb) as row (key int, status int, sources jsonb, message text)`;

/** The bulk's caller with the present rights; undefined when the user is deleted or inactive. */
export const findBulkUser = (em: EntityManager, input: { userType: string; userId: number }) => user.first(em, input);

const user = sql('open-bulk.user', { gives: { resources: json<string[]>() } })`
  select i.name, i.resources from integration i
  where $userType = 'integration' and i.integration_id = $userId and i.is_active
  union all
  select a.username, coalesce(a.resources, '[]'::jsonb) from admin_user a
  where $userType = 'admin' and a.user_id = $userId and a.is_active`;
