import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { isLastWord } from '../../domain/idempotency/is-last-word.ts';
import { joined, transact } from '../support/transact.ts';
import { keepAnswer, meetRequest, type AskedRequest, type KnownRequest } from './keyed-request.repository.ts';

/** The answer, from this run or from the first one. */
export type Answered = { text: string } | { refused: PosError } | { replayed: KnownRequest };

/**
 * Carries out a request and stores its answer in one transaction: the writes of `work` and the answer are committed
 * together or not at all.
 *
 * One run at a time per key. A refusal rolls back the writes of `work` and is stored, unless it is temporary
 * (`isLastWord`). Work may run more than once, as in `transact`, so it calls nothing outside the database.
 *
 * Refused with: 409 `idempotency_key_in_use` · 422 `idempotency_key_reused` · temporary refusals of `work`.
 */
export const answerInOneCommit = (
  em: EntityManager,
  asked: AskedRequest,
  work: (em: EntityManager) => Promise<string>,
): Promise<Answered> =>
  transact(em, async (tx) => {
    const known = await meetRequest(tx, asked);
    if (known?.state === 'done') return { replayed: known };
    const answered = await attempt(tx, work);
    await keepAnswer(
      tx,
      asked,
      'text' in answered
        ? { status: 200, text: answered.text }
        : { status: answered.refused.status, text: JSON.stringify(answered.refused.refusal) },
    );
    return answered;
  });

/** A savepoint, so that a refusal rolls back the work but keeps the request's lock. */
async function attempt(tx: EntityManager, work: (em: EntityManager) => Promise<string>) {
  try {
    return { text: await transact(joined(tx), (inner) => work(joined(inner))) };
  } catch (error) {
    if (error instanceof PosError && isLastWord(error.status)) return { refused: error };
    throw error;
  }
}
