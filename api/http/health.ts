import type { MikroORM } from '@mikro-orm/postgresql';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { inLane } from '../../db/support/connections/lanes.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';

/** A longer answer counts as away. */
const patienceMs = 2_000;

export interface Health {
  status: 200 | 503;
  body: { status: 'ok' | 'not ready'; missing?: readonly string[] };
}

/** Whether this process can work: the database answers and is up to date, Temporal answers. */
export async function readiness({ orm, workflows }: { orm: MikroORM; workflows: Workflows }): Promise<Health> {
  const [database, temporal] = await Promise.all([
    inTime(databaseLacks(orm), 'the database does not answer'),
    inTime(temporalLacks(workflows), 'Temporal does not answer'),
  ]);
  const missing = [database, temporal].filter((reason) => reason !== undefined);
  return missing.length === 0
    ? { status: 200, body: { status: 'ok' } }
    : { status: 503, body: { status: 'not ready', missing } };
}

async function databaseLacks(orm: MikroORM): Promise<string | undefined> {
  const pending = await inLane('health', () => pendingMigrations(orm.em));
  return pending.length === 0 ? undefined : `migrations are pending: ${pending.join(', ')}; run npm run migrate`;
}

async function temporalLacks(workflows: Workflows): Promise<string | undefined> {
  return (await workflows.isReachable()) ? undefined : 'Temporal does not answer';
}

async function inTime(check: Promise<string | undefined>, reason: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(reason), patienceMs);
  });
  try {
    return await Promise.race([check.catch(() => reason), late]);
  } finally {
    clearTimeout(timer);
  }
}
