import { defineUpdate } from '../workflows/support/definitions.ts';

/** Takes one empty step. */
export const stepUpdate = defineUpdate<void, [null]>('step');
/** Answered when the workflow has finished its steps. */
export const readyUpdate = defineUpdate<void, [null]>('ready');
