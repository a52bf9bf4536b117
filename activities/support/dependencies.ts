import type { MikroORM } from '@mikro-orm/postgresql';
import type { Providers } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';

/** What activities work with; handed in once by the worker, or by a test. */
export interface ActivityDependencies {
  orm: MikroORM;
  /** For sweeps and the work of a night, whose statements may take minutes; absent: the same. */
  batchOrm?: MikroORM;
  providers: Pick<Providers, 'credits' | 'gateways' | 'returns'>;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  clock: () => Date;
  /** How long a gateway may take to answer a refund. */
  gatewayTimeoutSeconds: number;
  /** How soon the gateway is asked unasked about an uncertain refund, the first time; 0: never. */
  reconcileAfterSeconds: number;
  /** How long a refund may be uncertain before the operators get a mail about it; absent: there is nobody to write to. */
  alarmAfterMinutes?: number;
}
