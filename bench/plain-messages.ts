import { defineUpdate } from '../workflows/support/definitions.ts';

/** Answered when the workflow has done its steps. */
export const readyUpdate = defineUpdate<void, [null]>('ready');
