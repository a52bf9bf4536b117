import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { keyInUse } from '../../domain/idempotency/idempotency-key.ts';
import { isLastWord } from '../../domain/idempotency/is-last-word.ts';
import { asWrite } from '../support/connections/lanes.ts';
import { transact } from '../support/transact.ts';
import type { Told } from './answer-in-one-commit.ts';
import { claimRequest, finishRequest, noteMade, releaseRequest, renewLease } from './claim-request.ts';
import type { AskedRequest, GivenAnswer } from './keyed-request.repository.ts';

/** One run of a request that commits several times: what makes it the same operation as the run before. */
export interface Run {
  /** The same for every run of the request, and for nothing else. */
  operationKey: string;
  /** The id that an earlier run noted by `made`; null where none did. */
  madeBefore: number | null;
  /** Notes an id in the transaction that makes it. Refused with 409 where another run has the request by now. */
  made: (tx: EntityManager, id: number) => Promise<void>;
  /** The answer is not the last word: it is not kept, and the same request asks again. */
  leaveOpen: () => void;
}

/**
 * Carries a request out that commits several times, or asks others: it is claimed in a commit of its own, and its answer
 * is kept in another. A run that dies between them is taken over once its lease is over, 15 seconds later; `work` then runs
 * again, and must find by `Run` what the first one did. See `answerInOneCommit`.
 *
 * @param failed told of an answer or a lease that could not be kept: the work goes on, and the next run finds it
 */
export async function answerUnderClaim(
  em: EntityManager,
  asked: AskedRequest,
  { work, failed }: { work: (run: Run) => Promise<string>; failed: (error: unknown) => void },
): Promise<Told> {
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

/** A third of a lease. */
const renewEveryMs = 5_000;
/** Five minutes: longer than any work of ours takes. What takes longer may be taken over. */
const mostRenewals = 60;

function renewEach(renew: () => unknown): NodeJS.Timeout {
  let renewals = 0;
  const timer: NodeJS.Timeout = setInterval(() => {
    if (++renewals > mostRenewals) clearInterval(timer);
    else renew();
  }, renewEveryMs);
  return timer.unref();
}
