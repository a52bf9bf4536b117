import { defineUpdate } from '../workflows/support/definitions.ts';

/** Takes one empty step. */
export const stepUpdate = defineUpdate<void, [null]>('step');
