import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { grantAppRole } from './grant-app-role.ts';
import { reportText, runStep, shopHours, TablesInUse, type StepLimits } from './migrate/run-step.ts';
import { optionsFor, planOf, shippedSteps, summaryOf, type PlannedStep, type Step } from './migrate/steps.ts';
import { ormOptions } from './orm.ts';
import { hasNoTables, newerNotice, OtherTables, readSchemaState } from './pending-migrations.ts';
import { isEntryPoint } from './support/is-entry-point.ts';

/** Any number; all migrators of this product use the same. */
const migrationLock = 727_274;

export interface MigrateOptions {
  /** Absent: those of this release. */
  steps?: readonly Step[];
  /** Says what would run, and changes nothing. */
  isDry?: boolean;
  say?: (line: string) => void;
  limits?: StepLimits;
  /** How long to wait for another migration. */
  waitMs?: number;
}

/** Another migration ran for too long. */
export class MigrationRuns extends Error {
  override name = 'MigrationRuns';
}

/** The role of `DATABASE_URL` may not change the tables. */
export class NotTheOwner extends Error {
  override name = 'NotTheOwner';
}

/**
 * Brings the database up to date, one migrator at a time, each step by itself: what was applied stays where a later
 * step fails, and a second run goes on from there. Throws `OtherTables` where only a new database, or a newer release,
 * helps; `MigrationRuns`, `TablesInUse` and `NotTheOwner` where nothing of the step was applied.
 *
 * @returns the names of the migrations applied now; none on a second run, and none on a dry one
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { say = () => undefined, waitMs = 600_000 } = options;
  const guard = new pg.Client({ connectionString: url, keepAlive: true });
  // When the server closes the connection, the running query fails; its `error` event without a listener would end
  // the process.
  guard.on('error', () => undefined);
  await guard.connect();
  try {
    // A dry run changes nothing, so it may run beside a migration.
    if (!options.isDry) await takeTurn(guard, { say, waitMs });
    const steps = options.steps ?? (await shippedSteps());
    const orm = await MikroORM.init({
      ...ormOptions(url),
      migrations: optionsFor(steps),
      extensions: [Migrator],
    });
    try {
      return await runSteps({ guard, orm, url, steps }, { ...options, say });
    } finally {
      await orm.close();
    }
  } finally {
    await guard.end();
  }
}

interface Parts {
  guard: pg.Client;
  orm: MikroORM;
  url: string;
  steps: readonly Step[];
}

async function runSteps({ guard, orm, url, steps }: Parts, options: MigrateOptions & { say: (line: string) => void }) {
  const { say, limits = shopHours } = options;
  const names = steps.map(({ name }) => name);
  const state = await readSchemaState(orm.em.fork(), names).catch((error: unknown) => {
    if (hasNoTables(error)) return { pending: names, newer: [] };
    throw error;
  });
  if (state.newer.length > 0) say(newerNotice(state.newer));
  const pending: PlannedStep[] = [];
  for (const step of steps) if (state.pending.includes(step.name)) pending.push(await planOf(orm, step));
  if (options.isDry) {
    for (const step of pending) say(summaryOf(step));
    return [];
  }
  if (pending.length > 0) await refuseStranger(guard);
  for (const step of pending) {
    // With this connection the turn would be lost, and another migrator could begin.
    await guard.query('select 1');
    say(reportText(await runStep({ orm, watch: guard, url, limits, say }, step)));
  }
  return pending.map(({ name }) => name);
}

const betweenLooksMs = 500;

/**
 * One migration at a time. It asks again and again instead of waiting in the server: a waiting statement would hold up
 * the index that the other migration makes concurrently.
 */
async function takeTurn(guard: pg.Client, { say, waitMs }: { say: (line: string) => void; waitMs: number }) {
  const until = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await guard.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock]);
    if (rows[0]?.taken) return;
    if (performance.now() >= until)
      throw new MigrationRuns(
        `Another migration of this database still runs after ${waitMs / 1_000} s; see that it ends, and run this one again.`,
      );
    if (isFirst) say(`Another migration of this database runs; waiting for it, ${waitMs / 1_000} s at most.`);
    await pause(betweenLooksMs);
  }
}

/**
 * A role that owns none of the tables would fail at the first statement, and say only that something is not permitted.
 */
async function refuseStranger(guard: pg.Client): Promise<void> {
  const { rows } = await guard.query<{ role: string; owner: string; may: boolean }>(`
    select current_user as role, pg_get_userbyid(relowner) as owner, pg_has_role(relowner, 'usage') as may
    from pg_class where oid = to_regclass('public.schema_migration')`);
  const [found] = rows;
  if (found && !found.may)
    throw new NotTheOwner(
      `migrate changes tables, and the role ${found.role} of DATABASE_URL owns none: give migrate the address of the owner, ${found.owner}. API and worker keep the role ${found.role}, which owns nothing.`,
    );
}

/** The command: `.env` where it exists, overridden by the environment. Each error is one sentence. */
async function main(words: readonly string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const url = process.env['DATABASE_URL'];
  const isDry = words.includes('--dry-run');
  const unknown = words.find((word) => word !== '--dry-run');
  if (unknown !== undefined) return end(`migrate knows --dry-run only, not ${unknown}.`);
  if (!url) return end('Say which database to migrate: DATABASE_URL=postgres://…');
  try {
    let isUpToDate = true;
    const say = (line: string) => {
      isUpToDate = false;
      console.log(line);
    };
    await migrate(url, { say, isDry });
    const role = process.env['DATABASE_APP_ROLE'];
    if (role && !isDry)
      await grantAppRole(url, { name: role, password: process.env['DATABASE_APP_PASSWORD'] || undefined });
    if (isUpToDate) console.log('The database is up to date.');
    else if (isDry) console.log('Nothing was changed.');
  } catch (error) {
    if (sentences.some((kind) => error instanceof kind)) return end(reasonOf(error));
    end(`The database of DATABASE_URL was not brought up to date (${reasonOf(error)}).`);
  }
}

/** Their message is all that there is to say. */
const sentences = [OtherTables, MigrationRuns, NotTheOwner, TablesInUse];

function end(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

/** An error for several tried addresses has no message, only a code. */
const reasonOf = (error: unknown) =>
  error instanceof Error
    ? error.message.split('\n')[0] || ('code' in error ? String(error.code) : error.name)
    : String(error);

if (isEntryPoint(import.meta)) await main(process.argv.slice(2));
