import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';

/**
 * Notes which provider is asked to take a run on, before it is asked: what it may have written can then be told.
 *
 * @returns false when the run needs nobody any more
 */
export async function noteAsked(
  em: EntityManager,
  { processId, providerCode }: { processId: number; providerCode: string },
): Promise<boolean> {
  const text = `update return_process set provider_code = $2, updated_at = now()
    where process_id = $1 and state = 'open' and stage = 'asking' returning process_id`;
  return (await query(em, text, [processId, providerCode])).length > 0;
}

/** Every provider passed, before it wrote anything: the memo is booked without a return. A repeat changes nothing. */
export async function notePassed(em: EntityManager, processId: number): Promise<void> {
  const text = `update return_process set stage = 'passed', updated_at = now()
    where process_id = $1 and state = 'open' and stage = 'asking'`;
  await query(em, text, [processId]);
}
