import { createOrm } from '../db/orm.ts';
import { OtherTables, refuseOtherTables } from '../db/pending-migrations.ts';
import { keepTokenUses } from '../db/platform/access/token-life.ts';
import type { PoolUsage } from '../db/support/connections/guard-pool.ts';
import { keepShopClock, shopNow } from '../db/support/shop-clock.ts';
import { apiLimits } from '../providers/database-limits.ts';
import { loadExtensions } from '../providers/extensions.ts';
import { createProviders } from '../providers/index.ts';
import { createLog } from '../providers/log.ts';
import { endTracing, startTracing } from '../providers/observe/tracing.ts';
import { loadSettings, required, WrongSetting, type Settings } from '../providers/settings.ts';
import { createApp, handlerOf } from './app.ts';
import { withRoutesOf } from './routes.ts';
import { connectWorkflows } from '../providers/temporal/connect-workflows.ts';
import type { ApiMetricsParts } from './http/api-meter.ts';
import { createHealth } from './http/health.ts';
import { listen } from './http/http-server.ts';

/** How long requests may still take when the process is asked to end: a route may wait for a gateway, and then book. */
const drainMs = ({ GATEWAY_TIMEOUT_SECONDS }: Settings) => Math.max(10, GATEWAY_TIMEOUT_SECONDS + 5) * 1_000;

/** How soon the log says what went away, or came back, though nobody asks. */
const lookEveryMs = 10_000;

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
  const forgetHealth = health.everyMs(lookEveryMs);
  const metrics = await metricsOf({ settings, pools, health });
  const workflows = metrics?.measured(temporal.workflows) ?? temporal.workflows;
  const counted = metrics === undefined ? {} : { meter: metrics.meter };
  const app = createApp({ routes, orm, workflows, providers, settings, log, clock: shopNow, health, ...counted });
  const server = await listen(handlerOf(app), { host: settings.HOST, port: settings.PORT }).catch(whenTaken);

  const stop = async () => {
    await server.drain(drainMs(settings));
    forgetHealth();
    await Promise.allSettled([metrics?.close(), endTracing()]);
    await Promise.allSettled([temporal.close(), providers.passwords.close()]);
    await Promise.all([forgetClock(), forgetUses()]);
    await orm.close();
    log.info('api stopped');
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
  // When the parent process is gone, this process must stop itself; an open channel must not keep it alive.
  process.once('disconnect', () => void stop());
  process.channel?.unref();
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
