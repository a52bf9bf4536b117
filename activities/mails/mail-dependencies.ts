import type { MikroORM } from '@mikro-orm/postgresql';
import type { WorkerProviders } from '../../providers/worker-providers.ts';
import type { Log } from '../../providers/log.ts';

/** The dependencies of the mail queue; passed in once by the worker, or by a test. */
export interface MailDependencies {
  orm: MikroORM;
  providers: Pick<WorkerProviders, 'gateways' | 'mail' | 'secrets'>;
  log: Pick<Log, 'info' | 'warn'>;
  /** Who gets a mail about uncertain refunds; undefined: the first administrator of everything. */
  alarmsTo: string | undefined;
  /** Who gets it after a day; undefined: the same. */
  escalateTo?: string | undefined;
  /** The address for links in mails. */
  publicUrl: string;
  /** The page of a workflow; undefined where the address of the pages is not set. */
  pageOf: (workflowId: string) => string | undefined;
  /** The shop's public address; undefined where it is not set. */
  publicBaseUrl: string | undefined;
}
