import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import type { WorkerProviders } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';
import type { Settings } from '../../providers/settings.ts';
import { createWorkflows } from '../../providers/temporal/connect-workflows.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { createWorker } from '../../worker/create-worker.ts';
import { silent } from './fakes.ts';

interface Parts {
  orm: MikroORM;
  providers: WorkerProviders;
  settings: Settings;
  log: Log;
}

export interface OwnWorker {
  workflows: Workflows;
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

/** A worker of one test's database, on the Temporal server that all tests share, and the way to its workflows. */
async function startWorker({ orm, providers, settings }: Parts): Promise<OwnWorker> {
  installRuntime();
  const address = process.env['TEST_TEMPORAL'] ?? '';
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const [connection, nativeConnection] = await Promise.all([
    Connection.connect({ address, connectTimeout: '1 minute' }),
    NativeConnection.connect({ address }),
  ]);
  const worker = await createWorker({
    connection: nativeConnection,
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
  return {
    workflows: createWorkflows({ client: new Client({ connection, namespace }), taskQueue, log: silent }),
    async stop() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      await nativeConnection.close();
      await connection.close();
    },
  };
}

/** A worker that starts when a workflow is asked something for the first time: most tests of routes never ask. */
export function lazyWorker(parts: () => Parts): OwnWorker {
  let started: Promise<OwnWorker> | undefined;
  const unexpected = () => {
    throw new Error('This test did not expect a signal to a workflow.');
  };
  return {
    workflows: {
      async ask(question) {
        started ??= startWorker(parts());
        const { workflows } = await started;
        return workflows.ask(question);
      },
      signal: unexpected,
      // A layaway's workflow, and a mail's: a test that needs one starts a `Flow`.
      start: async () => undefined,
      refuseWhileAway: async () => undefined,
      isReachable: async () => true,
    },
    stop: async () => (await started)?.stop(),
  };
}
