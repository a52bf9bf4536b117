import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/**
 * Records which provider will be called next, so that it can be named when its answer is lost.
 *
 * @returns false when no provider is needed any more
 */
export const noteRequest = async (
  em: EntityManager,
  request: { processId: number; providerCode: string },
): Promise<boolean> => (await markRequested.run(em, request)) > 0;

const markRequested = sql('note-request.markRequested')`
  update return_process set provider_code = $providerCode, updated_at = now()
  where process_id = $processId and state = 'open' and stage = 'asking'`;

/** Records that every provider passed, so the memo is booked without a return. A repeat changes nothing. */
export async function notePassed(em: EntityManager, processId: number): Promise<void> {
  await markPassed.run(em, { processId });
}

const markPassed = sql('note-request.markPassed')`
  update return_process set stage = 'passed', updated_at = now()
  where process_id = $processId and state = 'open' and stage = 'asking'`;
