import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import {
  countOperations,
  readBulk,
  readOperations,
  searchOperations,
  type BulkRow,
  type OperationRow,
} from '../db/bulk/read-bulk.ts';
import { mostOperations } from '../domain/bulk.ts';
import { noSuchBulk } from '../domain/refusals/platform.ts';
import { listRoute } from './http/route-kinds.ts';
import { route, type AnyRoute } from './http/route.ts';
import { integer } from './wire/schemas.ts';

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

const bulkStatusAnswer = z.object({ operations_list: z.array(z.object(operation)), ...summary });

const detailed = {
  ...operation,
  bulk_uuid: z.string(),
  topic_name: z.string(),
  serialized_data: z.null(),
  result_serialized_data: z.string().nullable(),
};

const operationAnswer = z.object(detailed);
const bulkDetailAnswer = z.object({ operations_list: z.array(operationAnswer), ...summary });

/** The platform's numbers for kinds of users. */
const userTypes: Readonly<Record<string, number>> = { integration: 1, admin: 2 };

/** `POST /V1/products` as a topic of the platform's queue: `async.v1.products.post`. */
const topicOf = (route: string) => {
  const [method = '', path = ''] = route.split(' ');
  return `async.${path.slice(1).replaceAll('/', '.').replaceAll(':', '')}.${method}`.toLowerCase();
};

const renderBulk = (bulk: BulkRow) => ({
  extension_attributes: [] as [],
  bulk_id: bulk.bulk_uuid,
  description: `Topic ${topicOf(bulk.route)}`,
  start_time: bulk.started_at,
  user_id: bulk.user_id,
  user_type: userTypes[bulk.user_type] ?? 0,
  operation_count: bulk.operations,
});

const renderOperation = ({ operation_key, status, result_message, error_code }: OperationRow) => ({
  id: operation_key,
  status,
  result_message,
  error_code,
});

/** The request of an operation is deleted when it is done, so it is not shown. */
const renderDetail = (bulk: BulkRow, row: OperationRow) => ({
  ...renderOperation(row),
  bulk_uuid: bulk.bulk_uuid,
  topic_name: topicOf(bulk.route),
  serialized_data: null,
  result_serialized_data: row.result,
});

const acl = 'Platform_Logging::system_magento_logging_bulk_operations';
const bulkUuid = z.string().max(255);

/** The most operations with answers on one page, because answers may be long. */
const mostDetails = 1_000;

const exampleUuid = '7c1b2f0a-6f1e-4b0e-9d36-3f6f2f3f5b11';
const exampleBulk = {
  extension_attributes: [] as [],
  bulk_id: exampleUuid,
  description: 'Topic async.v1.products.post',
  start_time: '2026-11-23 08:15:00',
  user_id: 1,
  user_type: 1,
  operation_count: 2,
};
const done = { id: 0, status: 1, result_message: 'Service execution success', error_code: null };
const refused = { id: 1, status: 3, result_message: 'The "Price" attribute value is empty.', error_code: 400 };

async function findBulk(em: EntityManager, uuid: string): Promise<BulkRow> {
  const bulk = await readBulk(em, uuid);
  if (!bulk) throw noSuchBulk({ bulkUuid: uuid });
  return bulk;
}

/** The progress of a bulk, with an entry for each operation. Refused with: 404 an unknown bulk. */
export const getBulkStatus = route({
  method: 'GET',
  path: '/V1/bulk/:bulkUuid/status',
  acl,
  name: 'getBulkStatus',
  summary: 'How far a bulk is',
  description:
    'Each operation in the order of the request: 1 done, 2 failed for now, 3 refused, 4 open, 5 not readable.',
  outcomes: [noSuchBulk],
  examples: [{ title: 'One done, one refused', response: { operations_list: [done, refused], ...exampleBulk } }],
  params: z.object({ bulkUuid }),
  response: bulkStatusAnswer,

  async handle({ em, params }) {
    const bulk = await findBulk(em, params.bulkUuid);
    const rows = await readOperations(em, { bulkId: bulk.bulk_id, from: 0, limit: mostOperations });
    return { operations_list: rows.map(renderOperation), ...renderBulk(bulk) };
  },
});

/** The same with each operation's answer, a thousand operations on a page. Refused with: 404 an unknown bulk. */
export const getBulkDetails = route({
  method: 'GET',
  path: '/V1/bulk/:bulkUuid/detailed-status',
  acl,
  name: 'getBulkDetailedStatus',
  summary: 'What the operations of a bulk answered',
  description:
    'At most 1 000 operations; `from` is the id of the first, for the next ones (our choice). An answer of more ' +
    'than 16 kB is left out.',
  outcomes: [noSuchBulk],
  examples: [
    {
      title: 'One done',
      response: {
        operations_list: [
          {
            ...done,
            bulk_uuid: exampleUuid,
            topic_name: 'async.v1.products.post',
            serialized_data: null,
            result_serialized_data: '{"sku":"MUG"}',
          },
        ],
        ...exampleBulk,
      },
    },
  ],
  params: z.object({ bulkUuid }),
  query: z.object({ from: integer.optional() }),
  response: bulkDetailAnswer,

  async handle({ em, params, query }) {
    const bulk = await findBulk(em, params.bulkUuid);
    const rows = await readOperations(em, { bulkId: bulk.bulk_id, from: query.from ?? 0, limit: mostDetails });
    return { operations_list: rows.map((row) => renderDetail(bulk, row)), ...renderBulk(bulk) };
  },
});

/** The number of a bulk's operations with a status; 0 for an unknown bulk, as the platform answers. */
export const countBulkOperations = route({
  method: 'GET',
  path: '/V1/bulk/:bulkUuid/operation-status/:status',
  acl,
  name: 'countBulkOperations',
  summary: 'How many operations of a bulk have a status',
  description: 'The cheapest way to follow a large bulk: ask for status 4 until none is open.',
  outcomes: [],
  examples: [{ title: 'Still open', params: { bulkUuid: exampleUuid, status: 4 }, response: 12 }],
  params: z.object({ bulkUuid, status: integer }),
  response: z.int(),

  handle: ({ em, params }) => countOperations(em, params),
});

/** Searches the operations of all bulks. */
export const listBulkOperations = listRoute({
  path: '/V1/bulk',
  acl,
  name: 'listBulkOperations',
  summary: 'Search the operations of bulks',
  description: 'By `bulk_uuid`, `status`, `error_code`, `start_time` and `id`: what was refused, for a repeat.',
  outcomes: [],
  examples: [
    {
      title: 'Refused ones',
      query:
        'searchCriteria[filter_groups][0][filters][0][field]=status' +
        '&searchCriteria[filter_groups][0][filters][0][value]=3',
      response: {
        items: [
          {
            ...refused,
            bulk_uuid: exampleUuid,
            topic_name: 'async.v1.products.post',
            serialized_data: null,
            result_serialized_data: null,
          },
        ],
        search_criteria: { filter_groups: [] },
        total_count: 1,
      },
    },
  ],
  answer: operationAnswer,
  find: searchOperations,
  render: ({ operation_key, bulk_uuid, route: of, status, result_message, error_code }) => ({
    id: operation_key,
    bulk_uuid,
    topic_name: topicOf(of),
    status,
    result_message,
    error_code,
    serialized_data: null,
    result_serialized_data: null,
  }),
});

export const bulkRoutes: readonly AnyRoute[] = [listBulkOperations, getBulkStatus, getBulkDetails, countBulkOperations];
