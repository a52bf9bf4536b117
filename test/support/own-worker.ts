import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import type { WorkerProviders } from '../../providers/worker-providers.ts';
import type { Log } from '../../providers/log.ts';
import type { Settings } from '../../providers/settings.ts';
import { connectWorkflows, createWorkflows } from '../../providers/temporal/connect-workflows.ts';
import { repeatsThatEnd } from '../../providers/temporal/connection.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { createWorker } from '../../worker/create-worker.ts';
import { silent } from './fakes.ts';

interface Parts {
  orm: MikroORM;
  providers: WorkerProviders;
  settings: Settings;
  log: Log;
}

/** What a shop may lack. */
export type Missing = 'Temporal' | 'a worker';

export interface OwnWorker {
  workflows: Workflows;
  /** Until the work is done, Temporal does not answer, or nobody does what it is told. */
  without<Result>(missing: Missing, work: () => Promise<Result>): Promise<Result>;
  /** A worker runs, unless it is missing. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

const namespace = 'pos';

/** Once a process, before any connection to the server: its lines would stand between those of the tests. */
export function installRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
}

let isInstalled = false;

/**
 * A worker of one test's database, on the Temporal server that all tests share, and the way to its workflows. It starts
 * when it is needed for the first time: most tests of routes never ask a workflow.
 */
export function lazyWorker(parts: () => Parts): OwnWorker {
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const away = once(() => wayToNowhere(parts()));
  const way = once(() => wayToTemporal(taskQueue));
  let worker: Promise<() => Promise<void>> | undefined;
  let missing: Missing | undefined;
  const stopWorker = async () => {
    const stop = await worker;
    worker = undefined;
    await stop?.();
  };
  const ready = async () => {
    if (missing === undefined) await (worker ??= startWorker(taskQueue, parts()));
  };
  const orNowhere = async (): Promise<Workflows | undefined> =>
    missing === 'Temporal' ? (await away()).workflows : undefined;
  return {
    ready,
    workflows: {
      async ask(question) {
        const nowhere = await orNowhere();
        if (nowhere) return nowhere.ask(question);
        await ready();
        return (await way()).workflows.ask(question);
      },
      signal: async (...told) => ((await orNowhere()) ?? (await way()).workflows).signal(...told),
      async start(life) {
        const nowhere = await orNowhere();
        if (nowhere) return nowhere.start(life);
        // A layaway's workflow, and a mail's, do not start: a test that needs one starts a `Flow`.
        if (life.workflow !== 'checkBooks') return;
        // The server knows the checks of all tests.
        await (await way()).workflows.start({ ...life, id: `${life.id}-${taskQueue}` });
      },
      refuseWhileAway: async () => (await orNowhere())?.refuseWhileAway(),
      isReachable: async () => missing !== 'Temporal',
    },
    async without(what, work) {
      if (what === 'a worker') await stopWorker();
      missing = what;
      return work().finally(() => (missing = undefined));
    },
    async stop() {
      await stopWorker();
      for (const opened of [away, way]) await (await opened.ifAny())?.close();
    },
  };
}

interface Way {
  workflows: Workflows;
  close(): Promise<void>;
}

const wayToNowhere = ({ settings, log }: Parts): Promise<Way> =>
  connectWorkflows({ settings: { ...settings, TEMPORAL_ADDRESS: '127.0.0.1:1' }, log });

async function wayToTemporal(taskQueue: string): Promise<Way> {
  const { end, interceptors } = repeatsThatEnd();
  const connection = await Connection.connect({ address: address(), connectTimeout: '1 minute', interceptors });
  const client = new Client({ connection, namespace });
  return {
    workflows: createWorkflows({ client, taskQueue, log: silent }),
    close: () => end().then(() => connection.close()),
  };
}

const address = () => process.env['TEST_TEMPORAL'] ?? '';

/** Answers how it is stopped. */
async function startWorker(taskQueue: string, { orm, providers, settings }: Parts): Promise<() => Promise<void>> {
  installRuntime();
  const connection = await NativeConnection.connect({ address: address() });
  const worker = await createWorker({
    connection,
    namespace,
    taskQueue,
    bundle: process.env['TEST_BUNDLE'] ?? '',
    dependencies: {
      ...{ orm, providers, log: silent, clock: () => new Date() },
      gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
      reconcileAfterSeconds: 0,
    },
  });
  const running = worker.run();
  return async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
    await connection.close();
  };
}

/** What is made at first use, and then kept. */
function once<Made>(make: () => Promise<Made>) {
  let made: Promise<Made> | undefined;
  return Object.assign(() => (made ??= make()), { ifAny: async () => made });
}
