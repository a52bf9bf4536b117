import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workerEndMs } from '../domain/patience.ts';
import type { Settings } from '../providers/settings.ts';
import { nodeProcess, programFile, type NodeProcessOptions } from './node-process.ts';
import type { Ports } from './ports.ts';
import { privately } from './privately.ts';
import { startPostgres } from './postgres.ts';
import type { Part } from './supervisor.ts';
import { startTemporal } from './temporal/start-server.ts';

/** What every part is made from. */
export interface PartsOptions {
  dataDir: string;
  ports: Ports;
  /** The host where our own processes that listen on `HOST` are reached. */
  host: string;
  /** Where the worker's metrics are, which listen on `METRICS_HOST`. */
  metrics: string;
  isDurable: boolean;
  settings: Pick<Settings, 'GATEWAY_TIMEOUT_SECONDS'>;
  /** The children's environment: ours, with the addresses of the other parts. */
  environment: Record<string, string | undefined>;
  say: (line: string) => void;
}

/** How long a request may still take at a stop. */
const apiPatienceMs = 20_000;
const patienceMs = 5_000;

export const logFileOf = ({ dataDir }: PartsOptions, name: string) => join(dataDir, 'logs', `${name}.log`);

export const postgresPart = (options: PartsOptions): Part => ({
  name: 'PostgreSQL',
  start: () =>
    startPostgres({
      root: join(options.dataDir, 'postgres'),
      port: options.ports.postgres,
      durable: options.isDurable,
      logFile: logFileOf(options, 'postgres'),
      say: options.say,
    }),
});

export const temporalPart = (
  options: PartsOptions,
  { binary, namespace }: { binary: string; namespace: string },
): Part => ({
  name: 'Temporal',
  start: (_giveUp, born) =>
    startTemporal({
      born,
      binary,
      namespace,
      port: options.ports.temporal,
      uiPort: options.ports.temporalUi,
      dataFile: join(options.dataDir, 'temporal', 'temporal.db'),
      logFile: logFileOf(options, 'temporal'),
    }),
});

/** Everything outside the shop, played behind one address. */
export const simulatorsPart = (options: PartsOptions): Part =>
  child(options, {
    name: 'The simulators',
    file: programFile('local/simulators/main'),
    arguments: [String(options.ports.simulators)],
    logName: 'simulators',
    isReadyWhen: { answersAt: `http://${options.host}:${options.ports.simulators}/control` },
    patienceMs,
  });

export const mailPart = (options: PartsOptions): Part =>
  child(options, {
    name: 'The mail catcher',
    file: programFile('local/mail-catcher'),
    arguments: [String(options.ports.smtp), String(options.ports.mail)],
    logName: 'mail-catcher',
    isReadyWhen: { answersAt: `http://127.0.0.1:${options.ports.mail}/api/messages` },
    patienceMs,
  });

/** Most memory of a request or task is garbage at its end: a larger young space would cost memory and save no time. */
const smallYoungSpace = ['--max-semi-space-size=8'];

/**
 * Sixteen requests under way must fit into the young space, else they all reach the old one, whose collection costs
 * most. The old space is collected when it has grown by a fifth, not fourfold: without a bound.
 */
const smallHeap = ['--max-semi-space-size=16', '--heap-growing-percent=20'];

/** @param startsAfter until then it only loads its sources */
export const workerPart = (options: PartsOptions, startsAfter: Promise<unknown>): Part =>
  child(options, {
    name: 'The worker',
    file: programFile('worker/main'),
    ahead: { loads: ['worker/create-worker'].map(programFile), startsAfter },
    flags: smallYoungSpace,
    logName: 'worker',
    isReadyWhen: {
      answersAt: options.metrics,
      contains: 'temporal_worker_start',
    },
    // A gateway's call that has begun is waited for.
    patienceMs: workerEndMs({ gatewayTimeoutSeconds: options.settings.GATEWAY_TIMEOUT_SECONDS }) + patienceMs,
  });

/** @param startsAfter until then it only loads its sources */
export const apiPart = (options: PartsOptions, startsAfter: Promise<unknown>): Part =>
  child(options, {
    name: 'The API',
    file: programFile('api/main'),
    ahead: { loads: ['api/app', 'api/routes'].map(programFile), startsAfter },
    flags: smallHeap,
    logName: 'api',
    isReadyWhen: { answersAt: `http://${options.host}:${options.ports.api}/health/ready` },
    patienceMs: apiPatienceMs,
  });

export const bundleFileIn = (dataDir: string) => join(dataDir, 'workflows.js');

/** Bundles the workflow code in a separate process, whose memory is freed afterwards. */
export async function bundleWorkflows({ dataDir, environment }: PartsOptions): Promise<void> {
  const command = [programFile('worker/bundle'), bundleFileIn(dataDir)];
  const bundling = privately(() => promisify(execFile)(process.execPath, command, { env: { ...environment } }));
  const kill = () => bundling.child.kill('SIGKILL');
  process.once('exit', kill);
  await bundling;
  process.removeListener('exit', kill);
}

type ChildOptions = Omit<NodeProcessOptions, 'environment' | 'logFile' | 'show'> & { logName: string };

function child(options: PartsOptions, { logName, ...rest }: ChildOptions): Part {
  return nodeProcess({
    ...rest,
    environment: options.environment,
    logFile: logFileOf(options, logName),
    show: (line) => options.say(`  ${logName} | ${line}`),
  });
}
