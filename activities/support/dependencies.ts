import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from '@temporalio/client';
import type { WorkerProviders } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';

/** The dependencies of activities; passed in once by the worker, or by a test. */
export interface ActivityDependencies {
  orm: MikroORM;
  /** For sweeps and nightly work, whose statements may take minutes; absent: the same as `orm`. */
  batchOrm?: MikroORM;
  providers: Pick<WorkerProviders, 'credits' | 'gateways' | 'returns' | 'secrets'>;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  clock: () => Date;
  /** A gateway's timeout for a refund. */
  gatewayTimeoutSeconds: number;
  /** The delay before the first automatic look-up of an uncertain refund; 0: no automatic look-ups. */
  reconcileAfterSeconds: number;
  /** How long a refund may stay uncertain before the operators get a mail; absent: no mail is sent. */
  alarmAfterMinutes?: number;
  /** For housekeeping, which starts and looks up workflows; absent: it starts none. */
  temporal?: Client;
  /** True once this worker's shutdown has begun: nothing that takes long is begun any more. Absent: never. */
  isStopping?: () => boolean;
}
