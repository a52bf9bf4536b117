import { Connection } from '@temporalio/client';
import { temporalConnectionOptions } from '../../providers/temporal/connection.ts';
import { WrongSetting } from '../../providers/settings.ts';
import * as everySearchAttribute from '../../workflows/support/search-attributes.ts';
import type { CommandContext } from '../support/command-context.ts';
import { broken, ok, patienceMs, reasonOf, type Check } from './check.ts';

/** The types' spelling in Temporal's command line. */
const typeNames = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' } as const;

/** Every attribute we use, with its type. */
export const searchAttributes: ReadonlyMap<string, string> = new Map(
  Object.values(everySearchAttribute).map(({ name, type }) => [name, typeNames[type]]),
);

/** The two kinds of tasks a worker polls for, by Temporal's numbers. */
const taskQueueTypes = { workflow: 1, activity: 2 } as const;

/** A worker polls at least this often. */
const pollerIsGoneAfterMs = 120_000;

/** Temporal: it answers, knows our namespace and search attributes, and a worker polls it. */
export async function checkTemporal({ settings, now }: CommandContext): Promise<Check[]> {
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
  settings: CommandContext['settings'],
  now: Date,
): Promise<Check[]> {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  const server = ok('temporal', `server ${serverVersion} at ${address}`);
  const namespace = settings.TEMPORAL_NAMESPACE;
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch {
    return [
      server,
      broken('namespace', `"${namespace}" does not exist`, `temporal operator namespace create -n ${namespace}`),
    ];
  }
  return [
    server,
    ok('namespace', namespace),
    await attributes(connection, namespace),
    await worker(connection, { namespace, queue: settings.TEMPORAL_TASK_QUEUE, now }),
  ];
}

async function attributes({ operatorService }: Connection, namespace: string): Promise<Check> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = [...searchAttributes.keys()].filter((name) => !(name in customAttributes));
  return missing.length === 0
    ? ok('search attributes', `all ${searchAttributes.size} are registered`)
    : broken(
        'search attributes',
        `missing: ${missing.join(', ')}`,
        `temporal operator search-attribute create -n ${namespace} ${missing.map(asCreated).join(' ')}`,
      );
}

/** As the command expects it: `--name PosStatus --type Keyword`. */
const asCreated = (name: string) => `--name ${name} --type ${searchAttributes.get(name)}`;

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
