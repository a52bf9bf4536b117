import { setTimeout as pause } from 'node:timers/promises';
import { createOrm } from '../db/orm.ts';
import { OtherTables, refuseOtherTables } from '../db/pending-migrations.ts';
import { keepTokenUses } from '../db/platform/access/token-life.ts';
import type { PoolUsage } from '../db/support/connections/guard-pool.ts';
import { keepShopClock, shopNow } from '../db/support/shop-clock.ts';
import { apiGraceMs } from '../domain/patience.ts';
import { apiLimits } from '../providers/database-limits.ts';
import { createEnding } from '../providers/ending.ts';
import { loadExtensions } from '../providers/extensions.ts';
import { createProviders } from '../providers/index.ts';
import { createLog } from '../providers/log.ts';
import { endTracing, startTracing } from '../providers/observe/tracing.ts';
import { loadSettings, required, WrongSetting } from '../providers/settings.ts';
import { createApp, handlerOf } from './app.ts';
import { withRoutesOf } from './routes.ts';
import { connectWorkflows } from '../providers/temporal/connect-workflows.ts';
import type { ApiMetricsParts } from './http/api-meter.ts';
import { createTrust } from './http/client-address.ts';
import { notesOf } from './http/crowd-notes.ts';
import { createHealth } from './http/health.ts';
import { listen } from './http/http-server.ts';

/**
 * The process that answers HTTP. Any number may run; while Temporal is away it serves everything that needs no
 * workflow.
 */
async function main(): Promise<void> {
  const settings = loadSettings();
  const log = createLog('api', settings);
  await startTracing('pos-api', settings);
  const extensions = await loadExtensions(settings);
  const routes = withRoutesOf(extensions);
  const pools = new Map<string, () => PoolUsage>();
  const watch = (usage: () => PoolUsage) => void pools.set('api', usage);
  const orm = await createOrm(required(settings, 'DATABASE_URL'), { ...apiLimits(settings), watch });
  const notice = await refuseOtherTables(orm.em.fork()).catch((error: unknown) => {
    // A database that is away is waited for; `/health` says so.
    if (error instanceof OtherTables) throw new WrongSetting(error.message);
  });
  if (notice !== undefined) log.warn(notice);
  const providers = createProviders({ settings, orm, extensions });
  const temporal = await connectWorkflows({ settings, log });
  const forgetClock = keepShopClock(() => orm.em.fork());
  const forgetUses = keepTokenUses(() => orm.em.fork());
  const health = createHealth({ orm, workflows: temporal.workflows, settings, log });
  const forgetHealth = health.keepLooking();
  const metrics = await metricsOf({ settings, pools, health });
  const workflows = metrics?.measured(temporal.workflows) ?? temporal.workflows;
  const counted = metrics === undefined ? {} : { meter: metrics.meter };
  const ending = createEnding();
  const isEnding = () => ending.hasBegun();
  const parts = { routes, orm, workflows, providers, settings, log, clock: shopNow, health, isEnding, ...counted };
  const at = { host: settings.HOST, port: settings.PORT };
  const server = await listen(handlerOf(createApp(parts)), at, {
    perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    isProxy: createTrust(settings.TRUSTED_PROXIES),
    notes: notesOf({ log, meter: metrics?.meter }),
  }).catch(whenTaken);

  const stop = async () => {
    log.info('api draining');
    server.sayGoodbye();
    // What sends requests here hears of it from `/health/ready`, and needs a moment for that: they are still answered.
    await pause(settings.DRAIN_DELAY_SECONDS * 1_000);
    await server.drain(apiGraceMs({ gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS }));
    forgetHealth();
    await Promise.allSettled([metrics?.close(), endTracing()]);
    await Promise.allSettled([temporal.close(), providers.passwords.close()]);
    await Promise.all([forgetClock(), forgetUses()]);
    await orm.close();
    log.info('api stopped');
    process.exit(0);
  };
  ending.whenTold(() => void stop());
  log.info({ port: server.port, metricsPort: metrics?.port, pid: process.pid }, 'api ready');
}

/** Undefined where no port is set: such an API does without the library, too. */
const metricsOf = async (parts: ApiMetricsParts) =>
  parts.settings.API_METRICS_PORT === undefined
    ? undefined
    : (await import('./http/api-meter.ts')).serveApiMetrics(parts);

function whenTaken(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  throw new WrongSetting(`${error.message}; stop what listens there, or set PORT to another one (0 takes a free one).`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof WrongSetting ? error.message : error);
  process.exit(1);
}
