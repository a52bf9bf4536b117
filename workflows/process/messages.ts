import type { Outcome } from '../../domain/outcome.ts';
import { defineUpdate } from '../support/definitions.ts';

export interface ProcessInput {
  processId: number;
}

/** How a collapsed return ended; the result is read from its row. */
export interface ProcessAnswer {
  state: 'done' | 'unattempted';
}

export const awaitProcessedUpdate = defineUpdate<Outcome<ProcessAnswer>, [null]>('awaitProcessed');

export const processWorkflowId = (orderId: number, requestKey: string) => `process-${orderId}-${requestKey}`;
