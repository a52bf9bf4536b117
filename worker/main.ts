import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { createOrm } from '../db/orm.ts';
import { createProviders } from '../providers/index.ts';
import { createLog, type Log } from '../providers/log.ts';
import { loadSettings, required, WrongSetting, type Settings } from '../providers/settings.ts';
import { temporalConnectionOptions } from '../providers/temporal-connection.ts';
import { bundleTo } from './bundle.ts';
import { createRenderWorker } from './create-render-worker.ts';
import { createWorker } from './create-worker.ts';
import { writeSchedules } from './schedules.ts';
import { temporalLogger } from './temporal-logger.ts';

/** The process that runs workflows and activities. Any number of them; killing one loses nothing. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const log = createLog('worker', settings);
  installRuntime(settings, log);
  const orm = await createOrm(required(settings, 'DATABASE_URL'));
  const address = required(settings, 'TEMPORAL_ADDRESS');
  const connection = await NativeConnection.connect(temporalConnectionOptions(settings, address));
  await schedule(settings, address);
  const providers = createProviders({ settings, orm, log });
  const worker = await createWorker({
    connection,
    namespace: settings.TEMPORAL_NAMESPACE,
    taskQueue: settings.TEMPORAL_TASK_QUEUE,
    bundle: settings.WORKFLOW_BUNDLE ?? (await bundleTo(join(settings.POS_DATA_DIR, `workflows-${process.pid}.js`))),
    dependencies: {
      orm,
      providers,
      log,
      clock: () => new Date(),
      gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
      reconcileAfterSeconds: settings.RECONCILE_AFTER_SECONDS,
      ...(settings.REFUND_ALERT_EMAIL === undefined ? {} : { alarmAfterMinutes: settings.REFUND_ALERT_AFTER_MINUTES }),
    },
  });
  const { TEMPORAL_UI_URL: ui, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = settings;
  const renderWorker = await createRenderWorker({
    connection,
    namespace,
    taskQueue,
    dependencies: {
      orm,
      providers,
      log,
      alarmsTo: settings.REFUND_ALERT_EMAIL,
      pageOf: (workflowId) => (ui === undefined ? undefined : `${ui}/namespaces/${namespace}/workflows/${workflowId}`),
    },
  });
  // When the parent is gone nobody would stop this process; an open channel alone must not keep it alive.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  log.info({ pid: process.pid }, 'worker ready');
  await Promise.all([worker.run(), renderWorker.run()]);
  await connection.close();
  await orm.close();
  log.info('worker stopped');
}

function installRuntime(settings: Settings, log: Log): void {
  Runtime.install({
    logger: temporalLogger(log),
    shutdownSignals: ['SIGINT', 'SIGTERM'],
    telemetryOptions: {
      logging: { filter: 'WARN', forward: {} },
      metrics: { prometheus: { bindAddress: `${settings.HOST}:${settings.METRICS_PORT}` } },
    },
  });
}

async function schedule(settings: Settings, address: string): Promise<void> {
  const connection = await Connection.connect(temporalConnectionOptions(settings, address));
  try {
    await writeSchedules(new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE }), {
      taskQueue: settings.TEMPORAL_TASK_QUEUE,
      timeZone: settings.TZ_SERVER,
    });
  } finally {
    await connection.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof WrongSetting ? error.message : error);
  process.exit(1);
}
