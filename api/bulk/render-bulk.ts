import { z } from 'zod';
import type { BulkRow, OperationRow } from '../../db/bulk/read-bulk.ts';

const summary = {
  extension_attributes: z.tuple([]),
  bulk_id: z.string(),
  description: z.string(),
  start_time: z.string(),
  user_id: z.int(),
  user_type: z.int(),
  operation_count: z.int(),
};

const operation = {
  id: z.int(),
  status: z.int(),
  result_message: z.string().nullable(),
  error_code: z.int().nullable(),
};

export const bulkStatusAnswer = z.object({ operations_list: z.array(z.object(operation)), ...summary });

const detailed = {
  ...operation,
  bulk_uuid: z.string(),
  topic_name: z.string(),
  serialized_data: z.null(),
  result_serialized_data: z.string().nullable(),
};

export const operationAnswer = z.object(detailed);
export const bulkDetailAnswer = z.object({ operations_list: z.array(operationAnswer), ...summary });

/** The platform's numbers for kinds of users. */
const userTypes: Readonly<Record<string, number>> = { integration: 1, admin: 2 };

/** `POST /V1/products` as a topic of the platform's queue: `async.v1.products.post`. */
export const topicOf = (route: string) => {
  const [method = '', path = ''] = route.split(' ');
  return `async.${path.slice(1).replaceAll('/', '.').replaceAll(':', '')}.${method}`.toLowerCase();
};

export const renderBulk = (bulk: BulkRow) => ({
  extension_attributes: [] as [],
  bulk_id: bulk.bulk_uuid,
  description: `Topic ${topicOf(bulk.route)}`,
  start_time: bulk.started_at,
  user_id: bulk.user_id,
  user_type: userTypes[bulk.user_type] ?? 0,
  operation_count: bulk.operations,
});

export const renderOperation = ({ operation_key, status, result_message, error_code }: OperationRow) => ({
  id: operation_key,
  status,
  result_message,
  error_code,
});

/** The request of an operation is deleted when it is done, so it is not shown. */
export const renderDetail = (bulk: BulkRow, row: OperationRow) => ({
  ...renderOperation(row),
  bulk_uuid: bulk.bulk_uuid,
  topic_name: topicOf(bulk.route),
  serialized_data: null,
  result_serialized_data: row.result,
});
