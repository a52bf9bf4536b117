import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { MailDependencies } from '../activities/mails/mail-dependencies.ts';
import { TableNotFoundException, type MikroORM } from '@mikro-orm/postgresql';
import { connectWorkflows } from '../providers/temporal/connect-workflows.ts';
import { isAtHome } from '../db/installation/installation-home.ts';
import { createOrm } from '../db/orm.ts';
import { OtherTables, refuseOtherTables } from '../db/pending-migrations.ts';
import { keepShopClock, shopNow } from '../db/support/shop-clock.ts';
import { batchLimits, booksLimits, stepLimits } from '../providers/database-limits.ts';
import { createPrinter } from '../providers/documents/chromium-printer.ts';
import { createWebhookSender } from '../providers/webhooks.ts';
import { loadExtensions } from '../providers/extensions.ts';
import { createWorkerProviders } from '../providers/worker-providers.ts';
import { createEnding } from '../providers/ending.ts';
import { createLog, type Log } from '../providers/log.ts';
import { loadSettings, publicUrlOf, required, WrongSetting, type Settings } from '../providers/settings.ts';
import { refuseUnregistered } from '../providers/temporal/builds.ts';
import { temporalConnectionOptions } from '../providers/temporal/connection.ts';
import { lackOf, readNamespace, setUpCommand } from '../providers/temporal/prepare-namespace.ts';
import { builtBundle, bundleTo } from './bundle.ts';
import {
  buildOf,
  createWorker,
  createBulkWorker,
  createPdfWorker,
  createRenderWorker,
  createWebhookWorker,
  lazyRunner,
} from './create-worker.ts';
import { observeWorker } from './observe-worker.ts';
import { startHousekeeping, writeSchedules } from './schedules.ts';

/** The process that runs workflows and activities. Any number may run; killing one loses nothing. */
async function main(): Promise<void> {
  // The workflow bundle in POS_DATA_DIR is readable only by its owner, like everything there.
  process.umask(0o077);
  const settings = loadSettings();
  const log = createLog('worker', settings);
  const observed = await observeWorker(settings, log);
  const extensions = await loadExtensions(settings);
  const url = required(settings, 'DATABASE_URL');
  const orm = await createOrm(url, observed.watching('steps', stepLimits(settings)));
  const batchOrm = await createOrm(url, observed.watching('batches', batchLimits(settings)));
  const address = required(settings, 'TEMPORAL_ADDRESS');
  const connection = await connectTo(address, settings);
  await refuseStrangeHome(orm, log);
  await schedule(settings, address);
  const providers = createWorkerProviders({ settings, orm, extensions });
  const { TEMPORAL_UI_URL: ui, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = settings;
  const place = { connection, namespace, taskQueue, build: buildOf(settings) };
  const worker = await createWorker({
    ...place,
    bundle:
      settings.WORKFLOW_BUNDLE ??
      builtBundle() ??
      (await bundleTo(join(settings.POS_DATA_DIR, `workflows-${process.pid}.js`))),
    dependencies: {
      orm,
      batchOrm,
      openBooks: () => createOrm(url, booksLimits(settings)),
      providers,
      log,
      clock: shopNow,
      gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
      reconcileAfterSeconds: settings.RECONCILE_AFTER_SECONDS,
      ...(settings.PUBLIC_BASE_URL === undefined ? {} : { publicBaseUrl: settings.PUBLIC_BASE_URL }),
      // Without a mail server nothing is put into the outbox that would only be dropped.
      ...(settings.SMTP_URL === undefined ? {} : { alarmAfterMinutes: settings.REFUND_ALERT_AFTER_MINUTES }),
    },
  });
  const publicBaseUrl = settings.PUBLIC_BASE_URL;
  const mailDependencies: MailDependencies = {
    orm,
    providers,
    log,
    alarmsTo: settings.REFUND_ALERT_EMAIL,
    escalateTo: settings.REFUND_ESCALATION_EMAIL,
    publicUrl: publicUrlOf(settings),
    pageOf: (workflowId) => (ui === undefined ? undefined : `${ui}/namespaces/${namespace}/workflows/${workflowId}`),
    publicBaseUrl,
  };
  const render = { ...place, dependencies: mailDependencies };
  const mailWorkers = [
    await createRenderWorker(render),
    await createRenderWorker({ ...render, lane: 'urgent' }),
    await createRenderWorker({ ...render, lane: 'receipts' }),
  ];
  const printer = createPrinter({
    path: settings.CHROMIUM_PATH,
    user: settings.CHROMIUM_USER,
    cacheFolder: join(settings.POS_DATA_DIR, 'cache'),
    log,
  });
  const pdfWorker = await createPdfWorker({
    ...place,
    dependencies: { orm, printer, log, box: providers.secrets, publicBaseUrl },
  });
  const temporal = await connectWorkflows({ settings, log });
  const apiParts = { orm: batchOrm, workflows: temporal.workflows, providers, settings, log, clock: shopNow };
  const bulkWorker = await createBulkWorker({
    ...place,
    dependencies: { orm: batchOrm, runner: lazyRunner(apiParts, extensions), log },
  });
  const webhookWorker = await createWebhookWorker({
    ...place,
    dependencies: {
      orm: batchOrm,
      sender: createWebhookSender({ mayCallPrivate: settings.WEBHOOKS_TO_PRIVATE_NETWORKS }),
      box: providers.secrets,
      // Loaded with the first delivery: most workers never make one.
      render: async () => (await import('../api/event-objects.ts')).renderEvents,
      log,
      publicUrl: publicUrlOf(settings),
    },
  });
  // The runtime hears the signals, too: it stops asking for work, and waits for what runs.
  createEnding().whenTold(() => log.info('worker draining'));
  const forgetClock = keepShopClock(() => orm.em.fork());
  const workers = [worker, ...mailWorkers, pdfWorker, bulkWorker, webhookWorker];
  observed.begin({ orm, batchOrm, workflows: temporal.workflows, workers });
  log.info({ pid: process.pid, metricsPort: observed.port }, 'worker ready');
  const stopped = new AbortController();
  const runs = Promise.all(workers.map((one) => one.run())).finally(() => stopped.abort());
  await Promise.all([runs, registered(settings, address, stopped.signal)]);
  await observed.end();
  await printer.close();
  await temporal.close();
  await connection.close();
  await forgetClock();
  await Promise.all([orm.close(), batchOrm.close()]);
  log.info('worker stopped');
}

/** A copy or an older state of the database must send nothing before a person has decided which one it is. */
const strangeHome =
  'This database was copied, restored or moved. Say which before a worker runs: npm run pos -- restored mark (an ' +
  'older backup, or a copy) or npm run pos -- restored moved (nothing is missing). See docs/operators/restore.md.';

/** Throws `WrongSetting` when the database does not answer, has other tables, or is a copy of another one. */
async function refuseStrangeHome({ em }: MikroORM, log: Log): Promise<void> {
  const found = refuseOtherTables(em.fork()).then((notice) => {
    if (notice !== undefined) log.warn(notice);
    return isAtHome(em.fork());
  });
  const isHome = await found.catch((error: unknown) => {
    if (error instanceof OtherTables) throw new WrongSetting(error.message);
    const why = reasonOf(error);
    throw new WrongSetting(
      error instanceof TableNotFoundException
        ? `The database has no tables of ours (${why}); run npm run migrate, or correct DATABASE_URL.`
        : `The database does not answer (${why}); start it, or correct DATABASE_URL.`,
    );
  });
  if (!isHome) throw new WrongSetting(strangeHome);
}

/** Throws `WrongSetting` when Temporal does not answer there. */
async function connectTo(address: string, settings: Settings): Promise<NativeConnection> {
  const options = temporalConnectionOptions(settings, address);
  try {
    return await NativeConnection.connect(options);
  } catch (error) {
    throw new WrongSetting(
      `No Temporal server answers at ${address} (${reasonOf(error)}); start it, or correct TEMPORAL_ADDRESS.`,
    );
  }
}

/** Throws `WrongSetting` when the server lacks what `temporal set-up` makes. */
async function schedule(settings: Settings, address: string): Promise<void> {
  const connection = await Connection.connect(temporalConnectionOptions(settings, address));
  const namespace = settings.TEMPORAL_NAMESPACE;
  try {
    const lack = lackOf(await readNamespace(connection, namespace), namespace);
    if (lack) throw new WrongSetting(`Temporal at ${address}: ${lack.part} ${lack.says}; run ${setUpCommand}.`);
    const client = new Client({ connection, namespace });
    const of = { taskQueue: settings.TEMPORAL_TASK_QUEUE, timeZone: settings.TZ_SERVER };
    await writeSchedules(client, of);
    await startHousekeeping(client, of);
  } finally {
    await connection.close();
  }
}

/** Throws `WrongSetting` when the server keeps as many builds as it may: it would give this one no work, ever. */
async function registered(settings: Settings, address: string, signal: AbortSignal): Promise<void> {
  const connection = Connection.lazy(temporalConnectionOptions(settings, address));
  try {
    await refuseUnregistered({ workflowService: connection.workflowService, settings, signal });
  } finally {
    await connection.close();
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

try {
  await main();
} catch (error) {
  console.error(error instanceof WrongSetting ? error.message : error);
  process.exit(1);
}
