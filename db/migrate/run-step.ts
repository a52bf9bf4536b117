import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { PlannedStep } from './steps.ts';

/** How a step waits for a table that others use. */
export interface StepLimits {
  /** It stands before a table no longer than this; who wants the table meanwhile waits behind it. */
  lockMs: number;
  /** How often it tries to get all its locks. */
  tries: number;
  /** Between two tries everybody else goes on. */
  betweenMs: number;
}

/**
 * Below the three seconds that a request waits for a lock, so that none fails because of a waiting step; and below the
 * second after which PostgreSQL ends one of two that wait for each other: the step gives way, and no request is ended.
 */
export const shopHours: StepLimits = { lockMs: 500, tries: 60, betweenMs: 2_000 };

/** What a step did to those who work on the database. */
export interface StepReport {
  name: string;
  ms: number;
  /** A table that was there before, and the strongest lock that the step had on it. */
  locks: { table: string; mode: string }[];
  /** Whether it had all of them until its end; else each as long as its statement. */
  isWhole: boolean;
  tries: number;
}

/** A step found its tables in use at every try; nothing of it was applied. */
export class TablesInUse extends Error {
  override name = 'TablesInUse';
}

/** PostgreSQL: a lock was not to be had in time, or two waited for each other. */
const inTheWay: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

export interface StepParts {
  orm: MikroORM;
  /** A connection for looking while a step runs. */
  watch: pg.Client;
  url: string;
  limits: StepLimits;
  say: (line: string) => void;
}

/** Runs one step. While others have its tables it gives way, tries again, and gives up in the end. */
export async function runStep(parts: StepParts, step: PlannedStep): Promise<StepReport> {
  const { limits, say } = parts;
  for (let tries = 1; ; tries++) {
    const began = performance.now();
    try {
      const locks = step.isWhole ? await runWhole(parts, step) : await runByStatement(parts, step);
      return { name: step.name, ms: performance.now() - began, locks, isWhole: step.isWhole, tries };
    } catch (error) {
      if (!inTheWay.has(sqlStateOf(error))) throw error;
      if (tries >= limits.tries) throw new TablesInUse(inUse(step, limits), { cause: error });
      say(`${step.name}: its tables are in use; it lets the others go first (try ${tries} of ${limits.tries}).`);
      await pause(limits.betweenMs);
    }
  }
}

const inUse = ({ name, isWhole }: PlannedStep, { tries, lockMs }: StepLimits) =>
  `${name} did not get its tables in ${tries} tries of ${lockMs / 1_000} s; ${
    isWhole ? 'nothing of it was applied' : 'it starts anew with the next run'
  }. Look who holds them (select pid, query, xact_start from pg_stat_activity where xact_start is not null), and run it again.`;

/** The migrator notes the step in the same transaction. */
async function runWhole({ orm, limits }: StepParts, step: PlannedStep) {
  return orm.em.fork().transactional(async (em) => {
    const connection = em.getConnection();
    const transaction = em.getTransactionContext();
    const ask = <Row extends object>(sql: string) =>
      connection.execute<Row[]>(sql, [], 'all', transaction) as Promise<Row[]>;
    await ask(`set local lock_timeout = ${limits.lockMs}`);
    const before = new Set((await ask<{ oid: string }>(tablesSql)).map(({ oid }) => oid));
    await orm.migrator.up({ migrations: [step.name], transaction });
    if (step.needs !== undefined)
      await ask(`update schema_migration set needs = '${step.needs}' where name = '${step.name}'`);
    const locks = await ask<HeldLock>(locksOf('pg_backend_pid()'));
    return strongest(locks.filter(({ oid }) => before.has(oid)));
  });
}

/**
 * Each statement by itself, on a connection whose locks are looked at meanwhile: a lock that came and went between two
 * looks is not told. An index that is made concurrently waits in nobody's way, so it may wait as long as it needs.
 */
async function runByStatement({ orm, watch, url, say }: StepParts, step: PlannedStep) {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const looking = lookAt(watch, rows[0]?.pid ?? 0);
    let seen: HeldLock[] = [];
    try {
      for (const text of step.texts) {
        const began = performance.now();
        await client.query(text);
        say(`  ${(performance.now() - began).toFixed(0)} ms: ${text.slice(0, 100)}`);
      }
    } finally {
      seen = await looking.end();
    }
    await orm.migrator.logMigration(step.name);
    return strongest(seen);
  } finally {
    await client.end();
  }
}

const betweenLooksMs = 20;

/** A look that fails ends the looking: the step goes on, and tells the locks that were seen until then. */
function lookAt(watch: pg.Client, pid: number) {
  let isOver = false;
  const seen = new Map<string, HeldLock>();
  const look = async () => {
    while (!isOver) {
      for (const lock of (await watch.query<HeldLock>(locksOf(String(pid)))).rows)
        seen.set(`${lock.oid} ${lock.mode}`, lock);
      await pause(betweenLooksMs);
    }
  };
  const looking = look().catch(() => undefined);
  return {
    end: async () => {
      isOver = true;
      await looking;
      return [...seen.values()];
    },
  };
}

interface HeldLock {
  oid: string;
  table: string;
  mode: string;
}

const tablesSql = `select oid::text as oid from pg_class where relkind in ('r', 'p')`;

/** By strength; those that reading and writing take are no news. */
const modes = [
  'AccessExclusiveLock',
  'ExclusiveLock',
  'ShareRowExclusiveLock',
  'ShareLock',
  'ShareUpdateExclusiveLock',
];

const locksOf = (pid: string) => `
  select distinct c.oid::text as oid, c.relname as table, l.mode from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = ${pid} and l.locktype = 'relation' and l.granted and c.relkind in ('r', 'p')
    and l.database = (select oid from pg_database where datname = current_database())
    and c.relnamespace = 'public'::regnamespace and l.mode in (${modes.map((mode) => `'${mode}'`).join(', ')})`;

function strongest(locks: readonly HeldLock[]): StepReport['locks'] {
  const byTable = new Map<string, string>();
  for (const { table, mode } of locks) {
    const known = byTable.get(table);
    if (known === undefined || modes.indexOf(mode) < modes.indexOf(known)) byTable.set(table, mode);
  }
  return [...byTable].map(([table, mode]) => ({ table, mode })).toSorted((a, b) => a.table.localeCompare(b.table));
}

/** What a lock keeps others from. */
const meaning: Readonly<Record<string, string>> = {
  AccessExclusiveLock: 'nobody read or wrote',
  ExclusiveLock: 'nobody wrote',
  ShareRowExclusiveLock: 'nobody wrote',
  ShareLock: 'nobody wrote',
  ShareUpdateExclusiveLock: 'everybody read and wrote',
};

/**
 * A report in a few lines. A whole step had its locks from some moment until its end, so its time is the most that
 * anybody waited.
 */
export function reportText({ name, ms, locks, isWhole, tries }: StepReport): string {
  const again = tries > 1 ? `, at try ${tries}` : '';
  const held = isWhole ? `for at most ${ms.toFixed(0)} ms` : 'during its statement, as far as it was seen';
  const lines =
    locks.length === 0
      ? ['  no table that was there before was locked']
      : locks.map(({ table, mode }) => `  ${table}: ${meaning[mode] ?? mode} (${mode}) ${held}`);
  return [`Applied ${name} in ${ms.toFixed(0)} ms${again}.`, ...lines].join('\n');
}

function sqlStateOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return undefined;
}
