import type { EntityManager } from '@mikro-orm/postgresql';
import { Connection } from '@temporalio/client';
import { readFeedState } from '../../db/events/feed.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { count as counted, decimal, float, integer, orNull, definite, text } from '../../db/support/entity-columns.ts';
import { statement, type RowFrom } from '../../db/support/statement.ts';
import { feedTroubles, type FeedTrouble } from '../../domain/events.ts';
import { codesIn } from '../returns.ts';
import { addressOf, WrongSetting } from '../settings.ts';
import { temporalConnectionOptions } from '../temporal/connection.ts';
import { openQuestions } from '../temporal/open-questions.ts';
import { storedDays, lackOf, readNamespace, searchAttributes, setUpCommand } from '../temporal/prepare-namespace.ts';
import { broken, ok, patienceMs, reasonOf, warning, type Check, type DoctorContext } from './check.ts';

/** The two kinds of tasks a worker polls for, by Temporal's numbers. */
const taskQueueTypes = { workflow: 1, activity: 2 } as const;

/** A worker polls at least this often. */
const pollerIsGoneAfterMs = 120_000;

/** Temporal: it answers, knows our namespace and search attributes, and a worker polls it. */
export async function checkTemporal({ settings, now }: DoctorContext): Promise<Check[]> {
  const address = settings.TEMPORAL_ADDRESS;
  if (address === undefined) {
    return [broken('temporal', 'no Temporal server is configured', 'run npm start, or set TEMPORAL_ADDRESS')];
  }
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({
      ...temporalConnectionOptions(settings, address),
      connectTimeout: patienceMs,
    });
    const connected = connection;
    return await connected.withDeadline(Date.now() + patienceMs, () => readServer(connected, address, settings, now()));
  } catch (error) {
    if (error instanceof WrongSetting) return [broken('temporal', error.message, 'correct it, or unset it')];
    const fix = 'run npm start, or correct TEMPORAL_ADDRESS';
    return [broken('temporal', `${address} does not answer (${reasonOf(error)})`, fix)];
  } finally {
    await connection?.close();
  }
}

async function readServer(
  connection: Connection,
  address: string,
  settings: DoctorContext['settings'],
  now: Date,
): Promise<Check[]> {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  const server = ok('temporal', `server ${serverVersion} at ${address}`);
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_UI_URL: ui } = settings;
  const found = await readNamespace(connection, namespace);
  const lack = lackOf(found, namespace);
  if (!found) return [server, broken('namespace', lack?.says ?? '', setUpCommand)];
  return [
    server,
    found.keptDays < storedDays
      ? warning('namespace', `${namespace} forgets closed workflows before ${storedDays} days are over`, setUpCommand)
      : ok(
          'namespace',
          ui === undefined ? namespace : `${namespace}; refunds in doubt: ${openQuestions(ui, namespace)}`,
        ),
    attributes(found.missing, lack?.says),
    await worker(connection, { namespace, queue: settings.TEMPORAL_TASK_QUEUE, now }),
  ];
}

function attributes(missing: readonly string[] | undefined, says: string | undefined): Check {
  const name = 'search attributes';
  if (says !== undefined) return broken(name, says, setUpCommand);
  const all = Object.keys(searchAttributes);
  return missing
    ? ok(name, `all ${all.length} are registered`)
    : warning(name, 'the server does not tell which it has', `let its owner register ${all.join(', ')}`);
}

async function worker(
  { workflowService }: Connection,
  { namespace, queue, now }: { namespace: string; queue: string; now: Date },
): Promise<Check> {
  const kinds = Object.values(taskQueueTypes);
  const answers = await Promise.all(
    kinds.map((taskQueueType) =>
      workflowService.describeTaskQueue({ namespace, taskQueue: { name: queue }, taskQueueType }),
    ),
  );
  const alive = answers.map(({ pollers }) => pollers.filter(({ lastAccessTime }) => isRecent(lastAccessTime, now)));
  const workers = new Set(alive.flat().map(({ identity }) => identity));
  return alive.every((pollers) => pollers.length > 0)
    ? ok('worker', `${workers.size === 1 ? 'one asks' : `${workers.size} ask`} for work on "${queue}"`)
    : broken('worker', `none asks for work on "${queue}": refunds and returns stand still`, 'npm run worker');
}

/** A time in the protocol: seconds as a number, or as a Long where a number could overflow. */
interface Moment {
  seconds?: { toNumber(): number } | number | null;
}

function isRecent(at: Moment | null | undefined, now: Date): boolean {
  const seconds = at?.seconds ?? 0;
  const since = now.getTime() - (typeof seconds === 'number' ? seconds : seconds.toNumber()) * 1_000;
  return since < pollerIsGoneAfterMs;
}

/** Typing errors never reach this number; the waiting times permit at most sixty before the count starts again. */
const manyFailures = 20;

/** Work that waits for a person: uncertain refunds, addresses with many wrong guesses, endpoints that take no events. */
export async function checkBacklog({ em: connect }: DoctorContext): Promise<Check[]> {
  try {
    const em = await connect();
    return [await uncertain(em), await layaways(em), await guesses(em), await events(em)];
  } catch {
    // Without a database there is nothing to report here; the database's own line gives the reason.
    return [];
  }
}

async function uncertain(em: EntityManager): Promise<Check> {
  const { count = 0, hours = null } = (await readUncertain.first(em)) ?? {};
  return count === 0
    ? ok('refunds', 'none is uncertain')
    : warning('refunds', `${count} uncertain, the oldest for ${hours ?? '?'} h`, 'npm run pos -- refunds uncertain');
}

/** An overdue layaway concerns the shop; one without a workflow concerns us. */
async function layaways(em: EntityManager): Promise<Check> {
  const { stale = 0, alone = 0 } = (await readLayaways.first(em)) ?? {};
  return alone === 0
    ? ok('layaways', `${stale} overdue, all have a workflow`)
    : warning(
        'layaways',
        `${alone} without a workflow for two hours`,
        'check that a worker runs: schedule expire-layaways starts them each hour',
      );
}

async function guesses(em: EntityManager): Promise<Check> {
  const { count = 0 } = (await readGuesses.first(em, { failures: manyFailures })) ?? {};
  return count === 0
    ? ok('sign-in', 'no passcode is being guessed')
    : warning(
        'sign-in',
        `${count} addresses with more than ${manyFailures} failures`,
        'look at the network the registers are in',
      );
}

/** The gravest of what is wrong with the feed and the endpoints. */
async function events(em: EntityManager): Promise<Check> {
  const [worst] = feedTroubles(await readFeedState(em));
  return worst === undefined ? ok('events', 'each has its place, and every endpoint takes them') : troubleOf(worst);
}

function troubleOf({ kind, figure }: FeedTrouble): Check {
  const says = (words: string, fix: string) => warning('events', words, fix);
  const list = 'npm run pos -- events endpoints';
  if (kind === 'without_place')
    return says(`some have no place in the feed for ${figure} s`, 'check that a worker runs');
  if (kind === 'overdue')
    return says(`an endpoint waits for them for ${figure} s`, `check that a worker runs; ${list}`);
  if (kind === 'paused') return says(`${figure} endpoints are paused`, list);
  if (kind === 'failing') return says(`${figure} endpoints take nothing for an hour`, list);
  const longest = 'select * from pg_stat_activity where backend_xid is not null order by xact_start';
  return says(`a transaction is open for ${figure} s, and what it tells comes so late`, longest);
}

const readUncertain = statement({
  takes: {},
  gives: { count: definite(counted), hours: orNull(decimal) },
  text: `
    select count(*) as count, round(extract(epoch from now() - min(created_at)) / 3600, 1) as hours
    from refund_attempt where state = 'uncertain'`,
});

const readLayaways = statement({
  takes: {},
  gives: { stale: definite(integer), alone: definite(integer) },
  text: `
    select count(*) filter (where pos_layaway_status = 'stale')::int as stale,
      count(*) filter (where pos_layaway_followed_at is null and created_at < now() - interval '2 hours')::int as alone
    from sales_order where pos_layaway_status in ('open', 'stale') and state <> 'canceled'`,
});

const readGuesses = statement({
  takes: { failures: integer },
  gives: { count: definite(counted) },
  text: 'select count(*) as count from pos_staff_login_failure where failures > $failures',
});

export interface OutsideService {
  name: string;
  url: string;
  /** `department` */
  what: string;
  /** The variable with its address. */
  variable: string;
  /** What still works while it is away; absent: its work stops. */
  meanwhile?: string;
}

/** An outside service. Any answer counts as available. */
export async function checkService({ name, url, what, variable, meanwhile }: OutsideService): Promise<Check> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    return ok(name, `${what} at ${url}`);
  } catch (error) {
    const says = `the ${what} at ${url} does not answer (${reasonOf(error)})`;
    return meanwhile === undefined
      ? broken(name, says, `start it, or correct ${variable}`)
      : warning(name, `${says}; ${meanwhile}`, `run npm start, or correct ${variable}`);
  }
}

/** The card gateways and the returns providers: the settings compared with what is available. */
export async function checkProviders({ settings, em: connect }: DoctorContext): Promise<Check[]> {
  const simulator = settings.GATEWAY_SIMULATOR_URL;
  const played = simulator === undefined ? [] : [await simulated(simulator)];
  try {
    const em = await connect();
    return [...played, ...(await gateways(em, simulator)), ...(await returns(em, settings.RETURNS_SERVICE_URL))];
  } catch {
    // Without a database the providers are unknown; the database's own line gives the reason.
    return played;
  }
}

async function simulated(url: string): Promise<Check> {
  try {
    const response = await fetch(`${url}/cents`, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return ok('gateway', `simulator at ${url}`);
  } catch (error) {
    return broken(
      'gateway',
      `the simulator at ${url} does not answer (${reasonOf(error)})`,
      'run npm start, or unset GATEWAY_SIMULATOR_URL',
    );
  }
}

/** The processors with an address of their own. */
async function gateways(em: EntityManager, simulator: string | undefined): Promise<Check[]> {
  const rows = await readAddresses.all(em);
  if (rows.length > 0) return [ok('gateway', `asked at ${rows.map(({ value }) => value).join(', ')}`)];
  return simulator === undefined
    ? [warning('gateway', 'none has an address: cards are refunded from the admin', 'pos config set …/base_url URL')]
    : [];
}

/**
 * A returns provider that a store names but that does not exist is skipped silently: its refunds would have no
 * return.
 */
async function returns(em: EntityManager, service: string | undefined): Promise<Check[]> {
  const rows = await readDepartments.all(em);
  const isNamed = rows.some(({ value }) => codesIn(value ?? '').includes('warehouse'));
  if (isNamed && service === undefined)
    return [broken('returns', 'a store works with "warehouse", which does not exist', 'set RETURNS_SERVICE_URL')];
  if (!isNamed || service === undefined) return [];
  return [await checkService({ name: 'returns', url: service, what: 'department', variable: 'RETURNS_SERVICE_URL' })];
}

const readAddresses = statement({
  takes: {},
  gives: { value: definite(text) },
  text: `select distinct value from config_value where path like '%/base_url' and value <> '' order by value`,
});

const readDepartments = statement({
  takes: {},
  gives: { value: orNull(text) },
  text: `select value from config_value where path = 'vendor_pos_terminal/returns/providers'`,
});

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
    const row = await databaseReadServer.first(em);
    if (!row) throw new Error('an empty answer');
    const reached = ok('database', `PostgreSQL ${row.version} at ${address}`);
    return [reached, durability(row), await migrations(em), clock(row, now())];
  } catch (error) {
    const fix = 'run npm start, or correct DATABASE_URL';
    return [broken('database', `${address} does not answer (${reasonOf(error)})`, fix)];
  }
}

const databaseReadServer = statement({
  takes: {},
  gives: { version: definite(text), fsync: definite(text), synchronous: definite(text), nowMs: definite(float) },
  text: `
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous,
      (extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms`,
});

type Server = RowFrom<typeof databaseReadServer>;

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
