import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { isLastWord } from '../../domain/idempotency/is-last-word.ts';
import { joined, transact } from '../support/transact.ts';
import { keepAnswer, meetRequest, type AskedRequest, type KnownRequest } from './keyed-request.repository.ts';

/** What is answered: by this run, or by the first one there was. */
export type Told = { text: string } | { refused: PosError } | { replayed: KnownRequest };

/**
 * Carries a request out and keeps its answer, all in one transaction: whatever `work` writes with its entity manager is
 * committed with the answer, or is not there. No crash comes between them.
 *
 * One at a time for a key. A refusal takes back what `work` wrote and is kept, unless it is of the moment (`isLastWord`).
 * Work may run more than once, as in `transact`: nothing outside the database is called from it.
 *
 * Refused with: 409 `idempotency_key_in_use` · 422 `idempotency_key_reused` · whatever of the moment `work` is refused for.
 */
export const answerInOneCommit = (
  em: EntityManager,
  asked: AskedRequest,
  work: (em: EntityManager) => Promise<string>,
): Promise<Told> =>
  transact(em, async (tx) => {
    const known = await meetRequest(tx, asked);
    if (known?.state === 'done') return { replayed: known };
    const told = await attempt(tx, work);
    await keepAnswer(
      tx,
      asked,
      'text' in told
        ? { status: 200, text: told.text }
        : { status: told.refused.status, text: JSON.stringify(told.refused.refusal) },
    );
    return told;
  });

/** A savepoint, so that a refusal takes back the work and not the turn. */
async function attempt(tx: EntityManager, work: (em: EntityManager) => Promise<string>) {
  try {
    return { text: await transact(joined(tx), (inner) => work(joined(inner))) };
  } catch (error) {
    if (error instanceof PosError && isLastWord(error.status)) return { refused: error };
    throw error;
  }
}
