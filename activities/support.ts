import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { asyncLocalStorage } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { refuseTooLate } from '../db/support/begin-before.ts';
import { troubleOf } from '../db/support/connections/database-trouble.ts';
import { PosError } from '../domain/errors.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Log } from '../providers/log.ts';
import type { WorkerProviders } from '../providers/worker-providers.ts';

/** The dependencies of activities; passed in once by the worker, or by a test. */
export interface ActivityDependencies {
  orm: MikroORM;
  /** For sweeps and nightly work, whose statements may take minutes; absent: the same as `orm`. */
  batchOrm?: MikroORM;
  /** A connection for one check of the books, whose rules may each take an hour; absent: `batchOrm`'s. */
  openBooks?: () => Promise<MikroORM>;
  providers: Pick<WorkerProviders, 'credits' | 'gateways' | 'returns' | 'secrets'>;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  clock: () => Date;
  /** A gateway's timeout for a refund. */
  gatewayTimeoutSeconds: number;
  /** The delay before the first automatic look-up of an uncertain refund; 0: no automatic look-ups. */
  reconcileAfterSeconds: number;
  /** Where people find the service; absent: nobody said. */
  publicBaseUrl?: string;
  /** How long a refund may stay uncertain before the operators get a mail; absent: no mail is sent. */
  alarmAfterMinutes?: number;
  /** For housekeeping, which starts and looks up workflows; absent: it starts none. */
  temporal?: Client;
  /** True once this worker's shutdown has begun: nothing that takes long is begun any more. Absent: never. */
  isStopping?: () => boolean;
}

/**
 * One transaction of a request, which checks itself that it is not too late. Where it waits in vain for a lock or a
 * connection, and its moment has passed meanwhile, it is refused: another try could only refuse it again, and whoever
 * comes next would wait.
 *
 * Refused with: 503 too late; the refusals of the work.
 */
export async function inTime<Answer>(
  em: EntityManager,
  beginBefore: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    // After a lost commit nobody knows: the next try finds out.
    if (troubleOf(error) === 'busy') await refuseTooLate(em.fork(), beginBefore);
    throw error;
  }
}

/** Turns a refusal into a value after its transaction has rolled back; other errors stay faults that are retried. */
export async function orRefused<Answer>(work: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PosError) return { refused: error.refusal };
    throw error;
  }
}

/** Often enough that a heartbeat may come late twice before its step counts as dead. */
const heartbeatMs = 2_000;

/**
 * Sends heartbeats to Temporal, so that a dead process is noticed within seconds. Outside Temporal nobody hears them.
 * What the work tells of how far it is goes with them: Temporal's page shows it.
 */
export async function whileAlive<Made>(work: (tell: (howFar: string) => void) => Promise<Made>): Promise<Made> {
  const step = asyncLocalStorage.getStore();
  let howFar: string | undefined;
  const timer = setInterval(() => step?.heartbeat(howFar), heartbeatMs);
  try {
    return await work((now) => (howFar = now));
  } finally {
    clearInterval(timer);
  }
}
