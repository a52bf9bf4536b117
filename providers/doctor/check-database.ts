import type { EntityManager } from '@mikro-orm/postgresql';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { float, surely, text } from '../../db/support/kinds.ts';
import { statement, type RowFrom } from '../../db/support/statement.ts';
import { addressOf } from '../settings.ts';
import { broken, ok, reasonOf, type Check, type DoctorContext } from './check.ts';

/** With a larger difference, deadlines mean different things on different machines. */
const greatestDriftMs = 2_000;

/** The database: it answers, it is durable, it has every migration, and its clock agrees with ours. */
export async function checkDatabase({ settings, em: connect, now }: DoctorContext): Promise<Check[]> {
  if (settings.DATABASE_URL === undefined) {
    return [broken('database', 'no database is configured', 'run npm start, or set DATABASE_URL')];
  }
  const address = addressOf(settings.DATABASE_URL);
  try {
    const em = await connect();
    const row = await readServer.first(em);
    if (!row) throw new Error('an empty answer');
    const reached = ok('database', `PostgreSQL ${row.version} at ${address}`);
    return [reached, durability(row), await migrations(em), clock(row, now())];
  } catch (error) {
    const fix = 'run npm start, or correct DATABASE_URL';
    return [broken('database', `${address} does not answer (${reasonOf(error)})`, fix)];
  }
}

const readServer = statement({
  takes: {},
  gives: { version: surely(text), fsync: surely(text), synchronous: surely(text), nowMs: surely(float) },
  text: `
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous,
      (extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms`,
});

type Server = RowFrom<typeof readServer>;

function durability({ fsync, synchronous }: Server): Check {
  if (fsync === 'on' && synchronous !== 'off') return ok('durability', 'what was acknowledged survives a crash');
  const setting = fsync === 'on' ? 'synchronous_commit' : 'fsync';
  return broken(
    'durability',
    `${setting} is off: a crash loses acknowledged sales`,
    `alter system set ${setting} = on; select pg_reload_conf();`,
  );
}

async function migrations(em: EntityManager): Promise<Check> {
  try {
    const pending = await pendingMigrations(em);
    return pending.length === 0
      ? ok('migrations', 'the database is up to date')
      : broken('migrations', `${pending.length} not applied: ${pending.join(', ')}`, 'npm run migrate');
  } catch (error) {
    return broken('migrations', `this is not a database of ours (${reasonOf(error)})`, 'npm run migrate');
  }
}

function clock({ nowMs: theirs }: Server, ours: Date): Check {
  const driftMs = Math.abs(ours.getTime() - theirs);
  return driftMs <= greatestDriftMs
    ? ok('clock', 'this machine and the database have the same time')
    : broken('clock', `this machine and the database are ${Math.round(driftMs / 1_000)} s apart`, 'set both by NTP');
}
