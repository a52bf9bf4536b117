import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invariants, verify } from '../books/verify/verify.ts';
import { isElsewhere } from '../db/installation/installation-home.ts';
import { createOrm } from '../db/orm.ts';
import { trySealed } from '../db/sealed-columns.ts';
import { patientLimits } from '../db/support/connections/guard-pool.ts';
import { count, definite, integer, orNull } from '../db/support/entity-columns.ts';
import { sql } from '../db/support/sql.ts';
import { invalid } from '../domain/errors.ts';
import { checkDatabase } from '../providers/doctor/check-database.ts';
import { broken, ok, reasonOf, warning, type Check } from '../providers/doctor/check.ts';
import { required } from '../providers/settings.ts';
import { diagnosis, type Answer, type CommandContext } from './support.ts';

export interface BackupOptions {
  /** The database to look at; absent: the one of the settings. */
  database?: string;
  /** Where backups are put: the newest file must be young enough. */
  folder?: string;
  /** How old the newest backup may be, and the last archived segment: hours. */
  within: string;
  /** How long one rule of the books may take: minutes. 0 leaves the books out. */
  booksMinutes: string;
}

/**
 * `backup check`: whether a database, configured, restored or copied, is whole: its tables are those of this release,
 * the secret key opens what is sealed, the books are right. Of the configured one also how far back a loss would go:
 * the archive of its WAL, and the newest file of a folder of backups. It reads only. The exit code is 1 when a line is
 * broken.
 */
export async function checkBackup(context: CommandContext, options: BackupOptions): Promise<Answer> {
  const hours = wholeNumber('--within', options.within, 8_760);
  const minutes = wholeNumber('--books-minutes', options.booksMinutes, 360);
  const url = options.database ?? required(context.settings, 'DATABASE_URL');
  const limits = { ...patientLimits, connectSeconds: 5, ...(minutes > 0 ? { statementSeconds: minutes * 60 } : {}) };
  const orm = await createOrm(url, limits);
  try {
    const em = async () => orm.em.fork();
    const settings = { ...context.settings, DATABASE_URL: url };
    const checks = await checkDatabase({ ...context, settings, em });
    const files = options.folder === undefined ? [] : [newestFile(options.folder, hours, context.now())];
    // Without the tables of this release there is nothing to open and nothing to verify.
    if (checks.some(({ name, state }) => state === 'broken' && !['durability', 'clock', 'collation'].includes(name)))
      return diagnosis([...checks, ...files]);
    return diagnosis([
      ...checks,
      await key(await em(), context),
      ...(minutes === 0 ? [] : [await books(await em(), minutes)]),
      ...(await place(await em(), hours)),
      ...files,
    ]);
  } finally {
    await orm.close();
  }
}

function wholeNumber(option: string, input: string, most: number): number {
  const value = /^\d{1,5}$/.test(input) ? Number(input) : Infinity;
  if (value > most) throw invalid('%1 is a whole number up to %2, not "%3".', [option, String(most), input]);
  return value;
}

/** The secret key against the newest texts of every column that has sealed ones. */
async function key(em: EntityManager, { secrets }: CommandContext): Promise<Check> {
  const name = 'secret key';
  const fix = 'set POS_SECRET_KEY to the key of that time, or add that key to POS_SECRET_KEY_OLD';
  try {
    const { looked, closed, former } = await trySealed(em, secrets());
    if (closed.length > 0) return broken(name, `it does not open ${closed.join(', ')}`, fix);
    const others = former === 0 ? '' : `, ${former} of them with POS_SECRET_KEY_OLD: npm run pos -- secrets reseal`;
    return ok(name, looked === 0 ? 'nothing is sealed yet' : `it opens the ${looked} newest sealed texts${others}`);
  } catch (error) {
    return broken(name, reasonOf(error), fix);
  }
}

/** PostgreSQL: a statement took too long. */
const queryCanceled = '57014';

async function books(em: EntityManager, minutes: number): Promise<Check> {
  const name = 'books';
  try {
    const findings = await verify(em);
    if (findings.length === 0) return ok(name, `all ${invariants.length} rules hold`);
    const ids = findings.map(({ id }) => id).join(', ');
    return broken(
      name,
      `${findings.length} of ${invariants.length} rules do not hold: ${ids}`,
      'npm run pos -- verify',
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === queryCanceled)) throw error;
    return warning(name, `a rule took more than ${minutes} minutes`, 'npm run pos -- verify, which has no such limit');
  }
}

/** Where this database is, and how much of it a loss would take. A copy archives nothing by itself. */
async function place(em: EntityManager, hours: number): Promise<Check[]> {
  if (await isElsewhere(em.fork()))
    return [
      warning(
        'place',
        'this is a copy, or was restored from a dump: no worker starts on it',
        'docs/operators/restore.md: npm run pos -- restored mark, or restored moved',
      ),
    ];
  const state = await readArchive.first(em);
  return [ok('place', 'where its workers know it'), state ? archive(state, hours) : noArchive];
}

const noArchive = warning(
  'archive',
  'WAL is not archived: a loss takes everything since the last backup',
  'archive_mode = on: docs/deploy/recover.md',
);

interface ArchiveState {
  isOn: boolean;
  archived: number;
  lastMinutes: number | null;
  failed: number;
  isFailing: boolean;
  lastFailed: string | null;
}

function archive({ isOn, archived, lastMinutes, failed, isFailing, lastFailed }: ArchiveState, hours: number): Check {
  const name = 'archive';
  const look = 'look into the log of PostgreSQL for archive_command';
  if (!isOn) return noArchive;
  if (isFailing)
    return broken(name, `the last segment could not be archived (${lastFailed ?? '?'}, ${failed} failures)`, look);
  if (archived === 0 || lastMinutes === null) return warning(name, 'WAL is archived, and no segment was yet', look);
  const reply = `WAL is archived: ${archived} segments, the last ${lastMinutes} min ago, ${failed} failures`;
  return lastMinutes > hours * 60
    ? warning(name, reply, 'set archive_timeout, so that a quiet shop archives, too')
    : ok(name, reply);
}

const readArchive = sql('backup-check.readArchive', {
  gives: { archived: definite(count), lastMinutes: orNull(integer), failed: definite(count) },
})`
  select current_setting('archive_mode') <> 'off' as is_on, archived_count as archived, failed_count as failed,
    (extract(epoch from now() - last_archived_time) / 60)::int as last_minutes,
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing,
    last_failed_wal as last_failed
  from pg_stat_archiver`;

/** The age of a backup cannot be asked of the database; the newest file of a folder shows it. */
function newestFile(folder: string, hours: number, now: Date): Check {
  const name = 'backup';
  const fix = 'see that the job that makes backups runs';
  try {
    const files = readdirSync(folder).map((file) => ({ file, ...statOf(join(folder, file)) }));
    const newest = files.toSorted((a, b) => b.at - a.at)[0];
    if (!newest) return broken(name, `${folder} is empty`, fix);
    const age = Math.max(0, Math.round((now.getTime() - newest.at) / 60_000));
    const reply = `the newest of ${folder} is ${newest.file}, ${age} min old`;
    if (newest.bytes === 0) return broken(name, `${reply}, and empty`, fix);
    return age > hours * 60 ? broken(name, reply, fix) : ok(name, reply);
  } catch (error) {
    return broken(name, reasonOf(error), 'correct --folder');
  }
}

function statOf(path: string) {
  const found = statSync(path);
  return { at: found.mtimeMs, bytes: found.size };
}
