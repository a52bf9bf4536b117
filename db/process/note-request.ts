import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';

/**
 * Records which provider will be called next, so that it can be named when its answer is lost.
 *
 * @returns false when no provider is needed any more
 */
export const noteRequest = async (
  em: EntityManager,
  request: { processId: number; providerCode: string },
): Promise<boolean> => (await markRequested.run(em, request)) > 0;

const markRequested = statement({
  takes: { processId: integer, providerCode: text },
  text: `
    update return_process set provider_code = $providerCode, updated_at = now()
    where process_id = $processId and state = 'open' and stage = 'asking'`,
});

/** Records that every provider passed, so the memo is booked without a return. A repeat changes nothing. */
export async function notePassed(em: EntityManager, processId: number): Promise<void> {
  await markPassed.run(em, { processId });
}

const markPassed = statement({
  takes: { processId: integer },
  text: `
    update return_process set stage = 'passed', updated_at = now()
    where process_id = $processId and state = 'open' and stage = 'asking'`,
});
