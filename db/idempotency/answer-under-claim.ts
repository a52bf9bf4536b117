import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { keyInUse } from '../../domain/idempotency/idempotency-key.ts';
import { isLastWord } from '../../domain/idempotency/is-last-word.ts';
import { asWrite } from '../support/connections/lanes.ts';
import { transact } from '../support/transact.ts';
import type { Answered } from './answer-in-one-commit.ts';
import { claimRequest, finishRequest, noteMade, releaseRequest, renewLease } from './claim-request.ts';
import type { AskedRequest, GivenAnswer } from './keyed-request.repository.ts';

/** One run of a request that commits several times: it identifies the operation across runs. */
export interface Run {
  /** The same for every run of this request, and different for any other. */
  operationKey: string;
  /** The id that an earlier run recorded by `made`; null where none did. */
  madeBefore: number | null;
  /** Records an id in the transaction that creates it. Refused with 409 where another run has taken over. */
  made: (tx: EntityManager, id: number) => Promise<void>;
  /** Marks the answer as temporary: it is not stored, and the same request asks again. */
  leaveOpen: () => void;
}

/**
 * Carries out a request that commits several times or calls others. One commit claims it, another stores its answer.
 * When a run dies in between, its lease ends after 15 seconds and another run takes over. `work` then runs again, and
 * must find by `Run` what the first run did. See `answerInOneCommit`.
 *
 * @param failed called when an answer or a lease could not be stored: the work continues, and the next run finds it
 */
export async function answerUnderClaim(
  em: EntityManager,
  asked: AskedRequest,
  { work, failed }: { work: (run: Run) => Promise<string>; failed: (error: unknown) => void },
): Promise<Answered> {
  const mine = { digest: asked.digest, owner: randomUUID() };
  const known = await transact(em, (tx) => claimRequest(tx, asked, mine.owner));
  if (known.state === 'done') return { replayed: known };
  let isOpen = false;
  const run: Run = {
    operationKey: known.operationKey,
    madeBefore: known.madeId,
    made: async (tx, id) => {
      if ((await noteMade(tx, { ...mine, madeId: id })) === 0) throw keyInUse();
    },
    leaveOpen: () => {
      isOpen = true;
    },
  };
  const renewing = renewEach(() => asWrite(() => renewLease(em, mine)).catch(failed));
  const keep = (given: GivenAnswer) => {
    clearInterval(renewing);
    return asWrite(() => (isOpen ? releaseRequest(em, mine) : finishRequest(em, mine, asked, given))).catch(failed);
  };
  try {
    const said = await work(run);
    await keep({ status: 200, text: said });
    return { text: said };
  } catch (error) {
    if (!(error instanceof PosError) || !isLastWord(error.status)) isOpen = true;
    const refusal = error instanceof PosError ? error.refusal : {};
    await keep({ status: error instanceof PosError ? error.status : 500, text: JSON.stringify(refusal) });
    throw error;
  }
}

/** A third of the lease. */
const renewEveryMs = 5_000;
/** Five minutes: longer than any of our work. Anything longer may be taken over. */
const mostRenewals = 60;

function renewEach(renew: () => unknown): NodeJS.Timeout {
  let renewals = 0;
  const timer: NodeJS.Timeout = setInterval(() => {
    if (++renewals > mostRenewals) clearInterval(timer);
    else renew();
  }, renewEveryMs);
  return timer.unref();
}
