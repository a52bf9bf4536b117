import type { Command } from '../../domain/command.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { OpenProcessRequest } from '../../domain/returns/return-requests.ts';
import { defineUpdate } from '../support/definitions.ts';

/** With `open` the workflow writes the row first; without, the row is there. */
export type ProcessInput = { open: OpenProcessRequest } | { processId: number };

/** How a collapsed return ended; the result is read from its row. `taken`: its return's workflow goes on. */
export interface ProcessAnswer {
  state: 'done' | 'unattempted' | 'taken';
  processId: number;
  returnId?: number;
}

export const awaitProcessedUpdate = defineUpdate<Outcome<ProcessAnswer>, [Command]>('process');

export const processWorkflowId = (orderId: number, requestKey: string) => `process-${orderId}-${requestKey}`;
