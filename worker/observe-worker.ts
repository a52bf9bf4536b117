import { createServer } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Runtime, type Logger, type LogMetadata, type Worker } from '@temporalio/worker';
import { createHealth, type HealthWatch } from '../api/http/health.ts';
import type { DatabaseLimits, PoolUsage } from '../db/support/connections/guard-pool.ts';
import { inLane } from '../db/support/connections/lanes.ts';
import type { Log } from '../providers/log.ts';
import { measureFigures } from '../providers/observe/figures.ts';
import { createRegistry, measureHealth, measurePools, serveMetrics } from '../providers/observe/metrics.ts';
import { endTracing, startTracing } from '../providers/observe/tracing.ts';
import type { Settings } from '../providers/settings.ts';
import type { Workflows } from '../providers/temporal/workflows.ts';

/** Temporal's own metrics come from this machine, from another thread of this process. */
const scrapeMs = 5_000;

export interface ObservedParts {
  orm: MikroORM;
  batchOrm: MikroORM;
  workflows: Workflows;
  workers: readonly Pick<Worker, 'getState'>[];
}

export interface ObservedWorker {
  port: number;
  /** The limits of a pool, whose use is measured under this name. */
  watching(pool: string, limits: DatabaseLimits): DatabaseLimits;
  /** From now on the process tells of the shop, and whether it is ready. */
  begin(parts: ObservedParts): void;
  end(): Promise<void>;
}

/**
 * Installs Temporal's runtime, and serves on `METRICS_PORT` what it measures beside our own metrics, and the worker's
 * health. It is ready while every queue is polled, and the database and Temporal answer.
 *
 * Throws `WrongSetting` when the port cannot be used.
 */
export async function observeWorker(settings: Settings, log: Log): Promise<ObservedWorker> {
  await startTracing('pos-worker', settings);
  const pools = new Map<string, () => PoolUsage>();
  const registry = createRegistry('worker');
  measurePools(registry, pools);
  let parts: ObservedParts | undefined;
  let health: HealthWatch | undefined;
  let forgetHealth = (): void => undefined;
  measureHealth(registry, () => health?.last()?.parts);
  // Sweeps may wait for their figures' connection; steps, for which registers wait, may not wait for figures.
  const freshen = measureFigures({ registry, log, em: () => batchOf(parts).em.fork() });

  const ready = async () => {
    const isWorking = parts?.workers.every((one) => one.getState() === 'RUNNING') ?? false;
    const found = await health?.read();
    return { isReady: isWorking && found?.status !== 'not ready', body: { ...found, ...(isWorking ? {} : stopped) } };
  };
  const core = await installRuntime(log);
  const { METRICS_HOST: host, METRICS_PORT: port } = settings;
  const server = await serveMetrics(
    {
      registry,
      before: async () => (parts === undefined ? undefined : inLane('read', freshen)),
      beside: async () => (await fetch(core, { signal: AbortSignal.timeout(scrapeMs) })).text(),
      ready,
    },
    { host, port, setting: 'METRICS_PORT' },
  );
  return {
    port: server.port,
    watching: (pool, limits) => ({ ...limits, watch: (usage) => void pools.set(pool, usage) }),
    begin(input) {
      parts = input;
      health = createHealth({ orm: input.orm, workflows: input.workflows, settings, log }, { needsTemporal: true });
      forgetHealth = health.keepLooking();
    },
    async end() {
      forgetHealth();
      await Promise.allSettled([server.close(), endTracing()]);
    },
  };
}

/** Before the workers run, and from when they are asked to end. */
const stopped = { status: 'not ready', missing: ['the workers do not take work'] };

function batchOf(parts: ObservedParts | undefined): MikroORM {
  if (!parts) throw new Error('nothing is read before the worker is ready');
  return parts.batchOrm;
}

/** A port that was free a moment ago may be taken by somebody else. */
const installTries = 5;

/** @returns the address of Temporal's own metrics, which this machine alone reaches */
async function installRuntime(log: Log): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const bindAddress = `127.0.0.1:${await freeLoopbackPort()}`;
    try {
      Runtime.install({
        logger: temporalLogger(log),
        shutdownSignals: ['SIGINT', 'SIGTERM'],
        telemetryOptions: {
          logging: { filter: 'WARN', forward: {} },
          metrics: { prometheus: { bindAddress } },
        },
      });
      return `http://${bindAddress}/metrics`;
    } catch (error) {
      if (attempt === installTries) throw error;
    }
  }
}

const freeLoopbackPort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Fields of the SDK's log lines that hold no payload and name the work. */
const ourFacts = ['workflowId', 'workflowType', 'runId', 'activityType', 'activityId', 'attempt', 'taskQueue', 'error'];

/** Expected: the mail queue has no workflows. */
const expected = 'No workflows registered, not polling for workflow tasks';

/**
 * The destination of Temporal's log lines. Lines of workflow code keep their level. The SDK's own information is
 * written at `debug`; its warnings and errors keep their level.
 *
 * Its traces contain whole activations with people's texts, so they are never written. Of its other lines only the
 * fields that name the work are kept.
 */
export function temporalLogger(log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>): Logger {
  const quiet = (message: string, facts?: LogMetadata) =>
    isOurs(facts) ? log.info(factsOf(facts), message) : log.debug(factsOf(facts), message);
  const loud = (level: 'debug' | 'warn' | 'error') => (message: string, facts?: LogMetadata) =>
    log[level](factsOf(facts), message);
  const warn = (message: string, facts?: LogMetadata) => loud(message === expected ? 'debug' : 'warn')(message, facts);
  const by = { TRACE: () => undefined, DEBUG: loud('debug'), INFO: quiet, WARN: warn, ERROR: loud('error') };
  return {
    log: (level, message, facts) => by[level](message, facts),
    trace: by.TRACE,
    debug: by.DEBUG,
    info: by.INFO,
    warn: by.WARN,
    error: by.ERROR,
  };
}

/** Written by our workflow or activity code, not by the SDK about it. */
const isOurs = (facts: LogMetadata = {}) =>
  facts['sdkComponent'] === 'workflow' || facts['sdkComponent'] === 'activity';

const factsOf = (facts: LogMetadata = {}): LogMetadata =>
  isOurs(facts) ? facts : Object.fromEntries(ourFacts.flatMap((name) => (name in facts ? [[name, facts[name]]] : [])));
