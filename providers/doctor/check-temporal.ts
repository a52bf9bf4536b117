import type { EntityManager } from '@mikro-orm/postgresql';
import { Connection } from '@temporalio/client';
import { readFeedState } from '../../db/events/feed.ts';
import { count as counted, decimal, orNull, definite, text } from '../../db/support/entity-columns.ts';
import { sql } from '../../db/support/sql.ts';
import { feedTroubles, type FeedTrouble } from '../../domain/events.ts';
import { codesIn } from '../returns.ts';
import { WrongSetting } from '../settings.ts';
import { temporalConnectionOptions } from '../temporal/connection.ts';
import { findDeployment, usualMaxBuilds, warnFromBuilds } from '../temporal/builds.ts';
import { openQuestions } from '../temporal/open-questions.ts';
import { storedDays, readNamespace, searchAttributes, setUpCommand } from '../temporal/prepare-namespace.ts';
import {
  broken,
  inWords,
  ok,
  patienceMs,
  reasonOf,
  warning,
  type Check,
  type DoctorContext,
  type Sentence,
} from './check.ts';
import { failingWorkflows } from './check-upkeep.ts';
import type { DoctorWords } from './words.ts';

/** The two kinds of tasks a worker polls for, by Temporal's numbers. */
const taskQueueTypes = { workflow: 1, activity: 2 } as const;

/** An idle worker asks again each minute, when the server ends its wait; a dead one is counted no longer. */
const pollerIsGoneAfterMs = 75_000;

/** Temporal: it answers, knows our namespace and search attributes, and a worker polls it. */
export async function checkTemporal({ settings, now }: DoctorContext): Promise<Check[]> {
  const address = settings.TEMPORAL_ADDRESS;
  if (address === undefined) {
    return [
      broken(
        'temporal',
        (w) => w.noTemporal,
        (w) => w.setOrStart('TEMPORAL_ADDRESS'),
      ),
    ];
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
    if (error instanceof WrongSetting) return [broken('temporal', error.message, (w) => w.correctOrUnset)];
    const reason = reasonOf(error);
    return [
      broken(
        'temporal',
        (w) => w.temporalAway(address, reason),
        (w) => w.startItOrCorrect('TEMPORAL_ADDRESS'),
      ),
    ];
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
  const server = ok('temporal', (w) => w.temporal(serverVersion, address));
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_UI_URL: ui } = settings;
  const found = await readNamespace(connection, namespace);
  if (!found) return [server, broken('namespace', (w) => w.noNamespace(namespace), setUpCommand)];
  return [
    server,
    found.keptDays < storedDays
      ? warning('namespace', (w) => w.forgets(namespace, storedDays), setUpCommand)
      : ok('namespace', (w) => (ui === undefined ? namespace : w.questionsAt(namespace, openQuestions(ui, namespace)))),
    attributes(found.missing),
    await worker(connection, { namespace, queue: settings.TEMPORAL_TASK_QUEUE, now }),
    ...(await builds(connection, settings)),
    ...(await failingWorkflows(connection, { namespace, queue: settings.TEMPORAL_TASK_QUEUE })),
  ];
}

function attributes(missing: readonly string[] | undefined): Check {
  const name = 'search attributes';
  const all = Object.keys(searchAttributes);
  if (!missing)
    return warning(
      name,
      (w) => w.attributesUnknown,
      (w) => w.letRegister(all.join(', ')),
    );
  return missing.length === 0
    ? ok(name, (w) => w.allRegistered(all.length))
    : broken(name, (w) => w.attributesMissing(missing.join(', ')), setUpCommand);
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
    ? ok('worker', (w) => w.workersAsk(workers.size, queue))
    : broken('worker', (w) => w.noWorker(queue), 'npm run worker');
}

/** No line where workers have no `TEMPORAL_BUILD_ID`. */
async function builds({ workflowService }: Connection, settings: DoctorContext['settings']): Promise<Check[]> {
  const deployment = await findDeployment(workflowService, settings);
  return deployment ? [buildsCheck(deployment.versions.length)] : [];
}

/** At its limit the server gives workers of a new build no work: it is reported before. */
export const buildsCheck = (count: number): Check =>
  count < warnFromBuilds
    ? ok('builds', (w) => w.builds(count))
    : warning(
        'builds',
        (w) => w.manyBuilds(count, usualMaxBuilds),
        (w) => w.forgetBuilds,
      );

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

/**
 * Work that waits for a person: uncertain refunds, addresses with many wrong guesses, endpoints that take no events.
 */
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
    ? ok('refunds', (w) => w.noneUncertain)
    : warning('refunds', (w) => w.uncertain(count, String(hours ?? '?')), 'npm run pos -- refunds uncertain');
}

/** An overdue layaway concerns the shop; one without a workflow concerns us. */
async function layaways(em: EntityManager): Promise<Check> {
  const { stale = 0, alone = 0 } = (await readLayaways.first(em)) ?? {};
  return alone === 0
    ? ok('layaways', (w) => w.layawaysFollowed(stale))
    : warning(
        'layaways',
        (w) => w.layawaysAlone(alone),
        (w) => w.checkWorkerForLayaways,
      );
}

async function guesses(em: EntityManager): Promise<Check> {
  const { count = 0 } = (await readGuesses.first(em, { failures: manyFailures })) ?? {};
  return count === 0
    ? ok('sign-in', (w) => w.noGuesses)
    : warning(
        'sign-in',
        (w) => w.guesses(count, manyFailures),
        (w) => w.lookAtNetwork,
      );
}

/** The gravest of what is wrong with the feed and the endpoints. */
async function events(em: EntityManager): Promise<Check> {
  const [worst] = feedTroubles(await readFeedState(em));
  return worst === undefined ? ok('events', (w) => w.eventsTaken) : troubleOf(worst);
}

function troubleOf({ kind, figure }: FeedTrouble): Check {
  const list = 'npm run pos -- events endpoints';
  const oldest = 'select * from pg_stat_activity where backend_xid is not null order by xact_start';
  const trouble = (says: Sentence, fix: Sentence) => warning('events', says, fix);
  if (kind === 'without_place')
    return trouble(
      (w) => w.eventsWithoutPlace(figure),
      (w) => w.checkWorker,
    );
  if (kind === 'overdue')
    return trouble(
      (w) => w.eventsOverdue(figure),
      (w) => `${w.checkWorker}; ${list}`,
    );
  if (kind === 'paused') return trouble((w) => w.endpointsPaused(figure), list);
  if (kind === 'failing') return trouble((w) => w.endpointsFailing(figure), list);
  return trouble((w) => w.eventsHeldOpen(figure), oldest);
}

const readUncertain = sql('check-temporal.readUncertain', {
  gives: { count: definite(counted), hours: orNull(decimal) },
})`
  select count(*) as count, round(extract(epoch from now() - min(created_at)) / 3600, 1) as hours
  from refund_attempt where state = 'uncertain'`;

const readLayaways = sql('check-temporal.readLayaways')`
  select count(*) filter (where pos_layaway_status = 'stale')::int as stale,
    count(*) filter (where pos_layaway_followed_at is null and created_at < now() - interval '2 hours')::int as alone
  from sales_order where pos_layaway_status in ('open', 'stale') and state <> 'canceled'`;

const readGuesses = sql('check-temporal.readGuesses', { gives: { count: definite(counted) } })`
  select count(*) as count from pos_staff_login_failure where failures > $failures`;

export interface OutsideService {
  name: string;
  url: string;
  what: keyof DoctorWords['kinds'];
  /** The variable with its address. */
  variable: string;
  /** What still works while it is away; absent: its work stops. */
  meanwhile?: Sentence;
}

/** An outside service. Any answer counts as available. */
export async function checkService({ name, url, what, variable, meanwhile }: OutsideService): Promise<Check> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    return ok(name, (w) => w.serviceAt(w.kinds[what], url));
  } catch (error) {
    const reason = reasonOf(error);
    const says = (w: DoctorWords) => w.serviceAway(w.kinds[what], url, reason);
    return meanwhile === undefined
      ? broken(name, says, (w) => w.startItOrCorrect(variable))
      : warning(
          name,
          (w) => `${says(w)}; ${inWords(meanwhile, w)}`,
          (w) => w.startItOrCorrect(variable),
        );
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
    return ok('gateway', (w) => w.simulatorAt(url));
  } catch (error) {
    const reason = reasonOf(error);
    return broken(
      'gateway',
      (w) => w.simulatorAway(url, reason),
      (w) => w.startItOrUnset('GATEWAY_SIMULATOR_URL'),
    );
  }
}

/** The processors with an address of their own. */
async function gateways(em: EntityManager, simulator: string | undefined): Promise<Check[]> {
  const rows = await readAddresses.all(em);
  if (rows.length > 0) return [ok('gateway', (w) => w.gatewaysAt(rows.map(({ value }) => value).join(', ')))];
  return simulator === undefined ? [warning('gateway', (w) => w.noGateway, 'pos config set …/base_url URL')] : [];
}

/**
 * A returns provider that a store names but that does not exist is skipped silently: its refunds would have no
 * return.
 */
async function returns(em: EntityManager, service: string | undefined): Promise<Check[]> {
  const rows = await readDepartments.all(em);
  const isNamed = rows.some(({ value }) => codesIn(value ?? '').includes('warehouse'));
  if (isNamed && service === undefined)
    return [
      broken(
        'returns',
        (w) => w.noDepartment,
        (w) => w.set('RETURNS_SERVICE_URL'),
      ),
    ];
  if (!isNamed || service === undefined) return [];
  return [await checkService({ name: 'returns', url: service, what: 'department', variable: 'RETURNS_SERVICE_URL' })];
}

const readAddresses = sql('check-temporal.readAddresses', { gives: { value: definite(text) } })`
  select distinct value from config_value where path like '%/base_url' and value <> '' order by value`;

const readDepartments = sql('check-temporal.readDepartments')`
  select value from config_value where path = 'vendor_pos_terminal/returns/providers'`;
