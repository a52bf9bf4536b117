import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { integer, surely } from '../../db/support/kinds.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { statement } from '../../db/support/statement.ts';
import { createLog } from '../../providers/log.ts';
import { required } from '../../providers/settings.ts';
import { within } from './within.ts';
import type { OperatorSettings } from './operator-settings.ts';
import type { CommandContext } from './command-context.ts';

/** All dependencies of the commands, connected at their first use and closed together. */
export interface Connected extends CommandContext {
  close(): Promise<void>;
}

/** A database that accepts a connection and then stays silent counts as away. */
const patienceMs = 5_000;

/** Opens no connection by itself. Heavy modules are loaded by the commands that need them. */
export function connect({ settings, ready }: OperatorSettings): Connected {
  const closers: (() => Promise<unknown>)[] = [];
  let orm: Promise<MikroORM> | undefined;

  const openOrm = async (): Promise<MikroORM> => {
    const { createOrm } = await import('../../db/orm.ts');
    const opened = await createOrm(required(settings, 'DATABASE_URL'));
    closers.push(() => opened.close());
    return opened;
  };
  const reach = async (): Promise<MikroORM> => {
    const opened = await openOrm();
    await within(patienceMs, 'the database', greet.first(opened.em.fork()));
    return opened;
  };
  /** What could not be reached is tried anew the next time. */
  const em = async (): Promise<EntityManager> => {
    orm ??= reach().catch((error: unknown) => {
      orm = undefined;
      throw error;
    });
    return (await orm).em.fork();
  };

  return {
    settings,
    ready,
    em,
    async workflows() {
      const { connectWorkflows } = await import('../../providers/temporal/connect-workflows.ts');
      const log = createLog('pos', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
      const line = await connectWorkflows({ settings, log });
      closers.push(() => line.close());
      return line.workflows;
    },
    secrets: () =>
      createSecretBox(
        settings.POS_SECRET_KEY ?? keptKey(settings.POS_DATA_DIR) ?? required(settings, 'POS_SECRET_KEY'),
      ),
    now: () => new Date(),
    async close() {
      const closed = Promise.allSettled(closers.map((closeOne) => closeOne()));
      await within(patienceMs, 'what is to be closed', closed).catch(() => undefined);
    },
  };
}

/** The key that a local service generated. */
function keptKey(dataDir: string): string | undefined {
  const file = join(dataDir, 'secret-key');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

const greet = statement({ takes: {}, gives: { one: surely(integer) }, text: 'select 1 as one' });
