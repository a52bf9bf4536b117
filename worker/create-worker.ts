import { Client } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import { createBulkActivities, type BulkDependencies, type OperationRunner } from '../activities/bulk.ts';
import { createEventActivities, type EventDependencies } from '../activities/events.ts';
import { createActivities } from '../activities/index.ts';
import { createMailActivities } from '../activities/mails.ts';
import type { MailDependencies } from '../activities/mails/mail-dependencies.ts';
import { createReceiptActivities, type PdfDependencies } from '../activities/receipts.ts';
import type { ActivityDependencies } from '../activities/support.ts';
import type { ApiParts } from '../api/http/api-parts.ts';
import { shopNow } from '../db/support/shop-clock.ts';
import { mostEndpoints } from '../domain/events.ts';
import { workerEndMs, workerGraceMs } from '../domain/patience.ts';
import { noExtensions } from '../providers/extensions.ts';
import type { Settings } from '../providers/settings.ts';
import { webhookQueue } from '../workflows/messages.ts';
import { nameActivity, reportTrouble } from './activity-interceptors.ts';

export interface WorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** Absent: whoever polls gets the work. */
  build?: WorkerDeploymentOptions | undefined;
  taskQueue: string;
  /** A file made by `bundleTo`. */
  bundle: string;
  dependencies: Omit<ActivityDependencies, 'temporal' | 'isStopping'>;
  maxCachedWorkflows?: number;
}

/** A worker with the settings that measurements showed to matter; the others keep the SDK's defaults. */
export async function createWorker({
  connection,
  namespace,
  build,
  taskQueue,
  bundle,
  dependencies,
  maxCachedWorkflows,
}: WorkerParts): Promise<Worker> {
  const worker: Worker = await Worker.create({
    connection,
    namespace,
    ...(build && { workerDeploymentOptions: build }),
    taskQueue,
    workflowBundle: { codePath: bundle },
    activities: createActivities({
      ...dependencies,
      temporal: new Client({ connection, namespace }),
      isStopping: () => !atWork.has(worker.getState()),
    }),
    // After a crash every cached workflow waits this long for its old worker; the default is ten seconds.
    stickyQueueScheduleToStartTimeout: '2s',
    maxCachedWorkflows: maxCachedWorkflows ?? cachedWorkflows,
    interceptors: { activity: [nameActivity, reportTrouble] },
    shutdownGraceTime: workerGraceMs(dependencies),
    shutdownForceTime: workerEndMs(dependencies),
  });
  return worker;
}

/**
 * Which build a worker is, by its settings; undefined where none is named. Lives of weeks and months (returns, refunds,
 * layaways, sweeps) go on with the build that is current. What ends within the hour says in its file that it stays with
 * the build that began it.
 */
export const buildOf = ({
  TEMPORAL_BUILD_ID: buildId,
  TEMPORAL_DEPLOYMENT: deploymentName,
}: Pick<Settings, 'TEMPORAL_BUILD_ID' | 'TEMPORAL_DEPLOYMENT'>): WorkerDeploymentOptions | undefined =>
  buildId === undefined
    ? undefined
    : { useWorkerVersioning: true, version: { deploymentName, buildId }, defaultVersioningBehavior: 'AUTO_UPGRADE' };

/**
 * Workflows kept in memory; the rarest used goes first, and begins again from its history, which is short. A thousand
 * take some 150 MB.
 */
const cachedWorkflows = 1_000;

const atWork: ReadonlySet<string> = new Set(['INITIALIZED', 'RUNNING']);

export interface LaneParts<Dependencies> {
  connection: NativeConnection;
  namespace: string;
  /** Absent: whoever polls gets the work. */
  build?: WorkerDeploymentOptions | undefined;
  /** The queue of the workflows; the name of a lane's queue begins with it. */
  taskQueue: string;
  dependencies: Dependencies;
}

interface Lane {
  queue: string;
  activities: object;
  mostAtOnce: number;
  /** What is sent at once: held back, as is the default, heartbeats reveal a dead worker seconds later. */
  hasHeartbeats?: boolean;
  grace?: { shutdownGraceTime: Duration; shutdownForceTime: Duration };
}

const shortGrace = { shutdownGraceTime: '5s', shutdownForceTime: '8s' } as const;

/** A worker for slow activities alone, with its own queue and slots: they never take the slot of a refund. */
const createLane = (
  { connection, namespace, build }: Omit<LaneParts<unknown>, 'dependencies' | 'taskQueue'>,
  { queue, activities, mostAtOnce, hasHeartbeats = true, grace = shortGrace }: Lane,
) =>
  Worker.create({
    connection,
    namespace,
    ...(build && { workerDeploymentOptions: build }),
    taskQueue: queue,
    activities,
    maxConcurrentActivityTaskExecutions: mostAtOnce,
    ...(hasHeartbeats && { maxHeartbeatThrottleInterval: '2s' }),
    interceptors: { activity: [nameActivity, reportTrouble] },
    ...grace,
  });

/** Bulks carried out at the same time. More wait, so that registers keep most of the database. */
const mostBulks = 2;

/** A separate worker for bulks: an import of fifty thousand products must not delay refunds. */
export const createBulkWorker = (parts: LaneParts<BulkDependencies>) =>
  createLane(parts, {
    queue: `${parts.taskQueue}-bulk`,
    activities: createBulkActivities(parts.dependencies),
    mostAtOnce: mostBulks,
    hasHeartbeats: false,
  });

/** A browser uses a whole core. */
const mostBrowsers = 2;

/**
 * A worker only for PDFs: a slow browser delays no mail and no refund. Its browser starts at once, so that the first
 * receipt does not wait for it.
 */
export const createPdfWorker = (parts: LaneParts<PdfDependencies>) => {
  void warm(parts.dependencies);
  return createLane(parts, {
    queue: `${parts.taskQueue}-pdf`,
    activities: createReceiptActivities(parts.dependencies),
    mostAtOnce: mostBrowsers,
  });
};

async function warm({ printer, log }: PdfDependencies): Promise<void> {
  const reason = await printer.missing().catch((error: unknown) => String(error));
  if (reason !== null) log.warn({ reason }, 'receipts have no PDF at the moment');
}

/**
 * Mail servers are slow. Most mails can wait, but a customer waits at the kiosk for a one-time code. Receipts are
 * large and come in bursts, so short mails have their own slots.
 */
const mostMails = { render: 2, urgent: 8, receipts: 2 };

/**
 * A worker for mails of one kind, absent: those that can wait. A mail that can wait never takes an urgent one's slot.
 */
export const createRenderWorker = (parts: LaneParts<MailDependencies> & { lane?: keyof typeof mostMails }) => {
  const { lane = 'render' } = parts;
  return createLane(parts, {
    queue: `${parts.taskQueue}-${lane}`,
    activities: createMailActivities(parts.dependencies),
    mostAtOnce: mostMails[lane],
  });
};

/**
 * A separate worker for calls to endpoints, with a place for each that there may be: one that hangs holds its own place
 * only, and none of what moves money.
 */
export const createWebhookWorker = (parts: LaneParts<EventDependencies>) =>
  createLane(parts, {
    queue: webhookQueue(parts.taskQueue),
    activities: createEventActivities(parts.dependencies),
    mostAtOnce: mostEndpoints,
    grace: { shutdownGraceTime: '1s', shutdownForceTime: '15s' },
  });

/** The routes for bulks, loaded with the first bulk. Most workers never get one and save the memory. */
export function lazyRunner(parts: Omit<ApiParts, 'routes'>, extensions = noExtensions): () => Promise<OperationRunner> {
  let runner: Promise<OperationRunner> | undefined;
  const load = async () => {
    const [{ createOperationRunner }, { withRoutesOf }] = await Promise.all([
      import('../api/http/bulk/run-operation.ts'),
      import('../api/routes.ts'),
    ]);
    // Operations store and compare moments as requests do.
    return createOperationRunner({ ...parts, clock: shopNow, routes: withRoutesOf(extensions) });
  };
  return () => (runner ??= load());
}
