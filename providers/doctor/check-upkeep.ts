import type { EntityManager } from '@mikro-orm/postgresql';
import type { Connection } from '@temporalio/client';
import { readNights } from '../../db/ops/nights.ts';
import { listFullestSequences, maxUsedShare } from '../../db/ops/sequences.ts';
import { definite, text } from '../../db/support/entity-columns.ts';
import { sql } from '../../db/support/sql.ts';
import { broken, ok, warning, type Check, type DoctorContext } from './check.ts';

/**
 * What wears out unseen: nights that do not happen, indexes under a new sort order, transactions that stay open, ids
 * that run out.
 */

/**
 * Whether the library that sorts texts is the one that the indexes were built with. With another one, look-ups miss
 * rows and unique keys take duplicates: references of payments, numbers of documents, codes of gift cards.
 */
export async function collation(em: EntityManager): Promise<Check> {
  const name = 'collation';
  const changed = await readCollations.all(em);
  const [first] = changed;
  if (first === undefined) return ok(name, (w) => w.sameCollation);
  const refresh = changed.map(({ refresh: command }) => command).join(' ');
  return broken(
    name,
    (w) => w.otherCollation(changed.map(({ of }) => of).join(', '), first.built, first.actual),
    `reindex database "${first.database}"; ${refresh}`,
  );
}

const readCollations = sql('check-upkeep.readCollations', { gives: { built: definite(text) } })`
  select d.datname::text as of, d.datname::text as database, d.datcollversion as built,
    pg_database_collation_actual_version(d.oid) as actual,
    format('alter database %I refresh collation version;', d.datname) as refresh
  from pg_database d
  where d.datname = current_database() and d.datcollversion <> pg_database_collation_actual_version(d.oid)
  union all
  select c.collname::text, current_database()::text, c.collversion, pg_collation_actual_version(c.oid),
    format('alter collation %I.%I refresh version;', n.nspname, c.collname)
  from pg_collation c join pg_namespace n on n.oid = c.collnamespace
  where c.collversion <> pg_collation_actual_version(c.oid)
    and exists (select 1 from pg_attribute a join pg_class r on r.oid = a.attrelid
      where a.attcollation = c.oid and r.relkind = 'i')
  order by 1`;

/** A finding names no more sequences. */
const maxNamed = 5;

/** Whether a sequence has used more than half of its ids: when they end, every insert into its table fails. */
export async function sequences(em: EntityManager): Promise<Check> {
  const name = 'ids';
  const fullest = await listFullestSequences(em, maxNamed);
  const used = fullest.filter(({ usedShare }) => usedShare > maxUsedShare);
  const [first] = fullest;
  if (first === undefined || used.length === 0)
    return ok(name, (w) => w.idsLeft(first?.sequence ?? '', percentOf(first?.usedShare ?? 0)));
  const named = used.map(({ sequence, usedShare }) => `${sequence} ${percentOf(usedShare)} %`).join(', ');
  return warning(
    name,
    (w) => w.idsRunOut(named),
    (w) => w.checkHighestId,
  );
}

const percentOf = (share: number) => Math.floor(share * 100);

/** A transaction of this age keeps PostgreSQL from removing old versions of rows: queues and claims get slower. */
const maxTransactionMinutes = 15;

/** The oldest open transaction, also one that only reads: a backup, a report, a forgotten session. */
export async function oldestTransaction(em: EntityManager, minutes = maxTransactionMinutes): Promise<Check> {
  const name = 'transactions';
  const oldest = await readOldest.first(em, { minutes });
  if (oldest === undefined) return ok(name, (w) => w.noOldTransaction(minutes));
  const { pid, who, seconds, state } = oldest;
  return warning(
    name,
    (w) => w.oldTransaction(who, state ?? '', Math.round(seconds / 60)),
    pid === null ? 'select * from pg_prepared_xacts; rollback prepared …' : `select pg_terminate_backend(${pid});`,
  );
}

const readOldest = sql('check-upkeep.readOldest')`
  select * from (
    select pid, coalesce(nullif(application_name, ''), usename::text, backend_type) as who, state,
      extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
    from pg_stat_activity
    where datname = current_database() and (backend_xmin is not null or backend_xid is not null)
      and backend_type in ('client backend', 'walsender')
    union all
    select null, 'prepared ' || gid, 'prepared', extract(epoch from clock_timestamp() - prepared)::float8
    from pg_prepared_xacts where database = current_database()) open
  where seconds > $minutes * 60 order by seconds desc limit 1`;

/** A night starts each day, and what is owed is started within two hours of the next start of the service. */
const maxNightHours = 36;

/** The work of each night: purging, telemetry, the check of the books. */
export async function checkNights({ em: connect }: DoctorContext): Promise<Check[]> {
  try {
    const em = await connect();
    const missed = (await readNights(em)).filter(({ ageSeconds }) => ageSeconds > maxNightHours * 3_600);
    const days = Math.floor(Math.max(0, ...missed.map(({ ageSeconds }) => ageSeconds)) / 86_400);
    return [
      missed.length === 0
        ? ok('nights', (w) => w.nightsDone)
        : warning(
            'nights',
            (w) => w.nightsMissed(missed.map(({ night }) => night).join(', '), days),
            (w) => w.checkWorkerForNights,
          ),
      await oldestTransaction(em),
    ];
  } catch {
    // Without a database there is nothing to report here; the database's own line gives the reason.
    return [];
  }
}

/** Workflows whose task fails again and again: nothing they are asked for is done. */
export async function failingWorkflows(
  { workflowService }: Connection,
  { namespace, queue }: { namespace: string; queue: string },
): Promise<Check[]> {
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${queue}' AND TemporalReportedProblems IS NOT NULL`;
  try {
    const { count } = await workflowService.countWorkflowExecutions({ namespace, query });
    const failing = Number(count);
    if (failing === 0) return [ok('workflows', (w) => w.noneFails)];
    return [warning('workflows', (w) => w.someFail(failing), `temporal workflow list --query "${query}"`)];
  } catch {
    // An older server does not know the attribute.
    return [];
  }
}
