import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { createOrm } from '../../db/orm.ts';
import { patientLimits } from '../../db/support/connections/guard-pool.ts';
import { createWorkflows } from '../../providers/temporal/connect-workflows.ts';
import { repeatsThatEnd } from '../../providers/temporal/connection.ts';
import { startGatewaySimulator, type GatewaySimulator } from '../../local/simulators/app.ts';
import type { Printer } from '../../providers/documents/print-in.ts';
import type { Mailer } from '../../providers/mail.ts';
import { createWebhookSender } from '../../providers/webhooks.ts';
import {
  createWorker,
  createBulkWorker,
  createPdfWorker,
  createRenderWorker,
  createWebhookWorker,
  lazyRunner,
} from '../../worker/create-worker.ts';
import { testApi, type TestApi } from './api.ts';
import { booksOf } from './books.ts';
import { aShop } from './builders/shop.ts';
import { silent } from './fakes.ts';
import { installRuntime } from './own-worker.ts';
import { separateIds } from './separate-ids.ts';

export interface FlowOptions {
  /** A shop that is there already, with its gateway; absent: one of its own. Its ids are separate, its keys set. */
  existing?: { orm: MikroORM; gateway: GatewaySimulator; shop: Awaited<ReturnType<typeof aShop>> };
  gatewayTimeoutSeconds?: number;
  reconcileAfterSeconds?: number;
  /** A worker is started by default. */
  startsWorker?: boolean;
  maxCachedWorkflows?: number;
  /** As in the environment, beside what a flow needs itself. */
  settings?: Record<string, string>;
  /** The mail server; absent: none. */
  mail?: Mailer;
  /** The printer; absent: one without a browser. */
  printer?: Printer;
  /** Who gets mails about refunds that stay uncertain, and when; absent: no one. */
  alarms?: { to: string; afterMinutes: number };
  /** Gets every line that the API and the worker log, at every level. */
  readLog?: (line: string) => void;
  /** A Temporal server of the test's own; absent: the one all tests share. */
  temporalAddress?: string;
}

/** A whole shop that a test calls as a register does: API, worker, Temporal, database and its own gateway. */
export interface Flow {
  api: TestApi;
  client: Client;
  gateway: GatewaySimulator;
  taskQueue: string;
  temporalAddress: string;
  shop: Awaited<ReturnType<typeof aShop>>;
  /** Starts a worker in this process; stop it yourself or leave it to `close`. */
  startWorker(): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}

const namespace = 'pos';

const noPrinter: Printer = {
  missing: () => Promise.resolve('No Chromium was found.'),
  print: () => Promise.reject(new Error('there is no browser')),
  close: () => Promise.resolve(),
};

export async function aFlow(options: FlowOptions = {}): Promise<Flow> {
  installRuntime();
  const address = options.temporalAddress ?? process.env['TEST_TEMPORAL'] ?? '';
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const { end, interceptors } = repeatsThatEnd();
  const connection = await Connection.connect({ address, connectTimeout: '1 minute', interceptors });
  const client = new Client({ connection, namespace });
  const { existing } = options;
  const gateway = existing?.gateway ?? (await startGatewaySimulator({ port: 0 }));
  const gatewayTimeoutSeconds = options.gatewayTimeoutSeconds ?? 5;
  const workflows = createWorkflows({ client, taskQueue, log: silent });
  const api = await testApi({
    ...(existing === undefined ? {} : { orm: existing.orm }),
    workflows,
    settings: {
      GATEWAY_SIMULATOR_URL: gateway.url,
      GATEWAY_TIMEOUT_SECONDS: String(gatewayTimeoutSeconds),
      ...options.settings,
    },
    ...(options.mail === undefined ? {} : { providers: { mail: options.mail } }),
    ...(options.readLog === undefined ? {} : { readLog: options.readLog }),
  });
  const log = options.readLog === undefined ? silent : api.log;
  const shop = existing?.shop ?? (await openShop(api));
  const nativeConnection = await NativeConnection.connect({ address });
  const stops: (() => Promise<void>)[] = [];

  const publicBaseUrl = api.settings.PUBLIC_BASE_URL;

  const startWorker = async () => {
    const worker = await createWorker({
      connection: nativeConnection,
      namespace,
      taskQueue,
      bundle: process.env['TEST_BUNDLE'] ?? '',
      dependencies: {
        orm: api.orm,
        openBooks: () => createOrm(String(api.orm.config.get('clientUrl')), { ...patientLimits, connections: 1 }),
        providers: api.workerProviders(),
        log,
        clock: () => new Date(),
        gatewayTimeoutSeconds,
        reconcileAfterSeconds: options.reconcileAfterSeconds ?? 60,
        ...(options.alarms === undefined ? {} : { alarmAfterMinutes: options.alarms.afterMinutes }),
      },
      ...(options.maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows: options.maxCachedWorkflows }),
    });
    const render = {
      connection: nativeConnection,
      namespace,
      taskQueue,
      dependencies: {
        orm: api.orm,
        providers: { ...api.workerProviders(), ...(options.mail === undefined ? {} : { mail: options.mail }) },
        log,
        alarmsTo: options.alarms?.to,
        publicUrl: 'http://shop.example',
        pageOf: (workflowId: string) => `http://temporal.example/${workflowId}`,
        publicBaseUrl,
      },
    };
    const mailWorkers = [
      await createRenderWorker(render),
      await createRenderWorker({ ...render, lane: 'urgent' }),
      await createRenderWorker({ ...render, lane: 'receipts' }),
    ];
    const pdfWorker = await createPdfWorker({
      connection: nativeConnection,
      namespace,
      taskQueue,
      dependencies: {
        orm: api.orm,
        printer: options.printer ?? noPrinter,
        log,
        box: api.providers.secrets,
        publicBaseUrl,
      },
    });
    const { orm, providers, settings, log: apiLog } = api;
    const bulkWorker = await createBulkWorker({
      connection: nativeConnection,
      namespace,
      taskQueue,
      dependencies: {
        orm,
        runner: lazyRunner({ orm, workflows, providers, settings, log: apiLog, clock: () => new Date() }),
        log,
      },
    });
    const webhookWorker = await createWebhookWorker({
      connection: nativeConnection,
      namespace,
      taskQueue,
      dependencies: {
        orm,
        sender: createWebhookSender({ mayCallPrivate: true }),
        box: providers.secrets,
        render: async () => (await import('../../api/event-objects.ts')).renderEvents,
        log,
        stepMs: 2_000,
      },
    });
    const running = [worker, ...mailWorkers, pdfWorker, bulkWorker, webhookWorker].map(runUntilStopped);
    const stop = async () => void (await Promise.all(running.map((end) => end())));
    stops.push(stop);
    return { stop };
  };

  if (options.startsWorker !== false) await startWorker();
  return {
    api,
    client,
    gateway,
    taskQueue,
    temporalAddress: address,
    shop,
    startWorker,
    async close() {
      for (const stop of stops) await stop();
      await nativeConnection.close();
      await end();
      await connection.close();
      if (existing === undefined) await gateway.stop();
      await api.close();
      await Runtime.instance().shutdown();
    },
  };
}

/** What every flow is over: a shop whose ids meet no other test's, with keys for its gateways. */
export async function openShop(parts: Pick<TestApi, 'orm'>): Promise<Awaited<ReturnType<typeof aShop>>> {
  const shop = await aShop(parts.orm.em.fork());
  await separateIds(parts);
  await nameGatewayKeys(parts);
  return shop;
}

function runUntilStopped(worker: Worker): () => Promise<void> {
  const running = worker.run();
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= (worker.getState() === 'RUNNING' ? Promise.resolve(worker.shutdown()) : Promise.resolve()).then(
      () => running,
    );
    return stopped;
  };
}

/** The simulator accepts any key. */
export async function nameGatewayKeys({ orm }: Pick<TestApi, 'orm'>): Promise<void> {
  const settings = {
    'provider_a/api_key': 'test',
    'provider_b/token_code': 'T',
    'provider_b/api_token': 'S',
    'provider_b/service_id': 'SL-1',
    'provider_c/merchant_key': 'test',
  };
  for (const [path, value] of Object.entries(settings)) {
    await booksOf(() => orm).configure(`vendor_pos_terminal/${path}`, value);
  }
}
