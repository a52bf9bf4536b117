import { Connection } from '@temporalio/client';
import { temporalConnectionOptions } from '../temporal/connection.ts';
import { WrongSetting } from '../settings.ts';
import { openQuestions } from '../temporal/open-questions.ts';
import { keptDays, lackOf, readNamespace, setUpCommand } from '../temporal/prepare-namespace.ts';
import { searchAttributes } from '../temporal/search-attributes.ts';
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
    found.keptDays < keptDays
      ? warning('namespace', `${namespace} forgets closed workflows before ${keptDays} days are over`, setUpCommand)
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
