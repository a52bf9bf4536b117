import { defineQuery } from '../support/definitions.ts';

export interface BulkInput {
  bulkUuid: string;
}

/** For the Temporal UI; programs read the row. */
export interface BulkView {
  operations: number;
  complete: number;
  failed: number;
  rejected: number;
  isDone: boolean;
}

export const bulkQuery = defineQuery<BulkView>('state');

export const bulkId = (bulkUuid: string) => `bulk-${bulkUuid}`;
