import { defineQuery } from '../support/definitions.ts';

export interface BulkInput {
  bulkUuid: string;
}

/** For the Temporal page; programs read the database row. */
export interface BulkView {
  operations: number;
  complete: number;
  failed: number;
  rejected: number;
  isDone: boolean;
}

export const bulkQuery = defineQuery<BulkView>('state');

export const bulkId = (bulkUuid: string) => `bulk-${bulkUuid}`;
