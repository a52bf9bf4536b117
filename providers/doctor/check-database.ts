import type { EntityManager } from '@mikro-orm/postgresql';
import { NewerTables, OtherTables, readSchemaState } from '../../db/pending-migrations.ts';
import { sql } from '../../db/support/sql.ts';
import type { RowFrom } from '../../db/support/statement.ts';
import { addressOf } from '../settings.ts';
import { collation, sequences } from './check-upkeep.ts';
import { broken, ok, reasonOf, warning, type Check, type DoctorContext } from './check.ts';

/** With a larger difference, deadlines mean different things on different machines. */
const greatestDriftMs = 2_000;

/** The database: it answers, it is durable, it has every migration, and its clock agrees with ours. */
export async function checkDatabase({ settings, em: connect, now }: DoctorContext): Promise<Check[]> {
  if (settings.DATABASE_URL === undefined) {
    return [
      broken(
        'database',
        (w) => w.noDatabase,
        (w) => w.setOrStart('DATABASE_URL'),
      ),
    ];
  }
  const address = addressOf(settings.DATABASE_URL);
  try {
    const em = await connect();
    const row = await databaseReadServer.first(em);
    if (!row) throw new Error('an empty answer');
    const reached = ok('database', (w) => w.database(row.version, address));
    const upkeep = [await collation(em), await sequences(em)];
    return [reached, durability(row), ...upkeep, await migrations(em), clock(row, now())];
  } catch (error) {
    const reason = reasonOf(error);
    return [
      broken(
        'database',
        (w) => w.databaseAway(address, reason),
        (w) => w.startItOrCorrect('DATABASE_URL'),
      ),
    ];
  }
}

const databaseReadServer = sql('check-database.databaseReadServer')`
  select current_setting('server_version') as version, current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous,
    (extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms`;

type Server = RowFrom<typeof databaseReadServer>;

function durability({ fsync, synchronous }: Server): Check {
  if (fsync === 'on' && synchronous !== 'off') return ok('durability', (w) => w.durable);
  const setting = fsync === 'on' ? 'synchronous_commit' : 'fsync';
  return broken(
    'durability',
    (w) => w.notDurable(setting),
    `alter system set ${setting} = on; select pg_reload_conf();`,
  );
}

async function migrations(em: EntityManager): Promise<Check> {
  try {
    const { pending, newer } = await readSchemaState(em);
    if (pending.length > 0)
      return broken('migrations', (w) => w.notMigrated(pending.length, pending.join(', ')), 'npm run migrate');
    if (newer.length === 0) return ok('migrations', (w) => w.migrated);
    return warning(
      'migrations',
      (w) => w.migratedByNewer(newer.join(', ')),
      (w) => w.goBackToNewer,
    );
  } catch (error) {
    if (error instanceof NewerTables) {
      const names = error.names.join(', ');
      return broken(
        'migrations',
        (w) => w.contractedByNewer(names),
        (w) => w.startNewer,
      );
    }
    if (error instanceof OtherTables)
      return broken(
        'migrations',
        (w) => w.otherTables,
        (w) => w.makeAnew,
      );
    const reason = reasonOf(error);
    return broken('migrations', (w) => w.notOurs(reason), 'npm run migrate');
  }
}

function clock({ nowMs: theirs }: Server, ours: Date): Check {
  const driftMs = Math.abs(ours.getTime() - theirs);
  return driftMs <= greatestDriftMs
    ? ok('clock', (w) => w.sameTime)
    : broken(
        'clock',
        (w) => w.apart(Math.round(driftMs / 1_000)),
        (w) => w.setClocks,
      );
}
