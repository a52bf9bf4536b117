import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { OperationSources } from '../../domain/bulk.ts';
import { timestamps } from '../support/shop-clock.ts';

/**
 * Many requests to one route that are carried out later, one after the other (platform: asynchronous and bulk routes).
 * Each bulk has its own workflow.
 */
export const Bulk = defineEntity({
  name: 'Bulk',
  tableName: 'bulk',
  properties: {
    bulkId: p.bigint('number').primary().autoincrement(),
    /** The id that the caller gets. */
    bulkUuid: p.string().length(36).unique(),
    /** The user whose rights count, as they are when an operation is carried out. */
    userType: p.enum(['integration', 'admin'] as const),
    userId: p.bigint('number'),
    /** The route as the list of routes names it: `POST /V1/products`. */
    route: p.string().length(255),
    storeId: p.bigint('number'),
    websiteId: p.bigint('number'),
    storeCode: p.string().length(32),
    operations: p.integer(),
    complete: p.integer().default(0),
    failed: p.integer().default(0),
    rejected: p.integer().default(0),
    startedAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'bulk_open', properties: ['updatedAt'], where: `"finished_at" is null` },
    { name: 'bulk_finished', properties: ['finishedAt'] },
  ],
  checks: [{ name: 'bulk_counts', expression: 'operations > 0 and complete >= 0 and failed >= 0 and rejected >= 0' }],
});

export type Bulk = InferEntity<typeof Bulk>;

/** One operation of a bulk. Its request is deleted when it is done, because it may hold personal data. */
export const BulkOperation = defineEntity({
  name: 'BulkOperation',
  tableName: 'bulk_operation',
  properties: {
    operationId: p.bigint('number').primary().autoincrement(),
    bulk: () => p.manyToOne(Bulk).fieldName('bulk_id').deleteRule('cascade'),
    /** Its position in the request, from 0. */
    operationKey: p.integer(),
    /** One of `operationStatus`. */
    status: p.integer().default(4),
    sources: p.json<OperationSources>().nullable(),
    resultMessage: p.text().nullable(),
    errorCode: p.integer().nullable(),
    result: p.text().nullable(),
    startedAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'bulk_operation_open', properties: ['bulk', 'operationKey'], where: 'status = 4' },
    { properties: ['status', 'operationId'] },
    { name: 'bulk_operation_errors', properties: ['errorCode'], where: 'error_code is not null' },
    { properties: ['startedAt'] },
  ],
  uniques: [{ name: 'bulk_operation_once', properties: ['bulk', 'operationKey'] }],
  checks: [{ name: 'bulk_operation_status', expression: 'status >= 1 and status <= 5' }],
});

export type BulkOperation = InferEntity<typeof BulkOperation>;
