import { markFollowed } from '../../db/returns/followed.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import type { FoundWork } from './find-work.ts';
import * as lives from './lives.ts';
import { forEach, tell, wake, type AroundWake, type Life } from './wake.ts';

/** How much was done of each kind; kinds of nothing are left out. */
export interface Woken {
  counts: Record<string, number>;
  /** What could not be done, or not all of it. */
  failed: string[];
}

type AroundWakeWork = AroundWake & Pick<ActivityDependencies, 'orm' | 'log'>;

/**
 * Starts the workflow of everything that was found, and tells those that run already. It only starts and signals:
 * work in progress is not harmed, and a repeat does nothing more. A kind that fails stops no other.
 */
export async function wakeWork(parts: AroundWakeWork, found: FoundWork): Promise<Woken> {
  const woken: Woken = { counts: {}, failed: [] };
  const note = (name: string, count: number, faults: unknown[]) => {
    if (count > 0) woken.counts[name] = count;
    if (faults.length === 0) return;
    woken.failed.push(name);
    parts.log.warn({ part: name, faults: faults.length, error: faults[0] }, 'housekeeping could not wake some work');
  };
  const wakeAll = async (name: string, all: readonly Life[]) => {
    const { answers, faults } = await forEach(all, (life) => wake(parts, life));
    note(name, answers.length, faults);
  };
  // First, because a customer waits at a kiosk.
  await wakeAll('urgent mails', found.urgentMailIds.map(lives.lifeOfMail('urgentMailWorkflow')));
  await wakeAll('interrupted returns', found.returnIds.map(lives.lifeOfInterruptedReturn));
  await wakeAll('refunds in doubt', found.attempts.map(lives.lifeOfAttempt));
  await wakeAll('refunds of credit memos', (found.memoRefunds ?? []).map(lives.lifeOfDocumentRefund));
  await wakeAll('refunds to credit', found.creditRefunds.map(lives.lifeOfCreditRefund));
  await wakeAll('collapsed returns', (found.processes ?? []).map(lives.lifeOfProcess));
  await wakeAll('returns', found.unfollowedReturns.map(lives.lifeOfReturn));
  const over = await forEach(found.overReturnIds, async (rmaId) => {
    const isTold = await tell(parts.temporal, returnId(rmaId), lives.refreshSignal);
    if (!isTold) await markFollowed(parts.orm.em.fork(), rmaId);
  });
  note('ended returns', over.answers.length, over.faults);
  await wakeAll('layaways', found.layawayOrderIds.map(lives.lifeOfLayaway));
  await wakeAll('content schedules', found.scheduleIds.map(lives.lifeOfSchedule));
  await wakeAll('content renewals', found.renewalIds.map(lives.lifeOfRenewal));
  await wakeAll('bulks', found.bulkUuids.map(lives.lifeOfBulk));
  await wakeAll('webhook endpoints', (found.endpointIds ?? []).map(lives.lifeOfEndpoint));
  await wakeAll('mails', found.mailIds.map(lives.lifeOfMail('mailWorkflow')));
  return woken;
}
