import { createServer, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { PoolUsage } from '../../db/support/connections/guard-pool.ts';
import { lanes } from '../../db/support/connections/lanes.ts';
import { version } from '../release.ts';
import { WrongSetting } from '../settings.ts';

/**
 * What Prometheus reads of a process. Loaded only where metrics are served: a process without them does without the
 * library.
 *
 * A label is never what a caller writes, so the number of series is known: routes by their pattern, words from our
 * lists.
 */

/** The figures of a process: which build it is, its memory, its processor time and how late its event loop is. */
export function createRegistry(process: 'api' | 'worker'): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    ...{ name: 'pos_build_info', help: 'Always 1; its labels say which build runs.' },
    ...{ labelNames: ['process', 'version', 'node'], registers: [registry] },
  }).set({ process, version, node: globalThis.process.versions.node }, 1);
  return registry;
}

/**
 * How the pools of connections to the database are used, read at each scrape; a pool that nobody used yet is absent.
 */
export function measurePools(registry: Registry, pools: ReadonlyMap<string, () => PoolUsage>): void {
  const each = (tell: (pool: string, usage: PoolUsage) => void) => {
    for (const [pool, usage] of pools) tell(pool, usage());
  };
  new Gauge({
    name: 'pos_database_pool_size',
    help: 'Connections that the pool may have at most.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      each((pool, { size }) => this.set({ pool }, size));
    },
  });
  new Gauge({
    name: 'pos_database_pool_in_use',
    help: 'Connections lent at this moment, by kind of work.',
    labelNames: ['pool', 'lane'],
    registers: [registry],
    collect() {
      each((pool, { taken }) => lanes.forEach((lane) => this.set({ pool, lane }, taken[lane])));
    },
  });
  new Gauge({
    name: 'pos_database_pool_waiting',
    help: 'Callers that wait for a connection at this moment, by kind of work.',
    labelNames: ['pool', 'lane'],
    registers: [registry],
    collect() {
      each((pool, { waiting }) => lanes.forEach((lane) => this.set({ pool, lane }, waiting[lane])));
    },
  });
  measureStatements(registry, each);
}

/** With both a mean is drawn; a histogram would cost each statement more than it tells. */
function measureStatements(registry: Registry, each: (tell: (pool: string, usage: PoolUsage) => void) => void): void {
  new Counter({
    name: 'pos_database_statements_total',
    help: 'Statements that the database answered or refused.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      this.reset();
      each((pool, { statements }) => this.inc({ pool }, statements));
    },
  });
  new Counter({
    name: 'pos_database_statement_seconds_total',
    help: 'Time that all statements took together, with their waits for locks.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      this.reset();
      each((pool, { statementSeconds }) => this.inc({ pool }, statementSeconds));
    },
  });
}

/** Whether each part of the service is well, as the last look found it. */
export function measureHealth(
  registry: Registry,
  last: () => Readonly<Record<string, { state: string }>> | undefined,
): void {
  new Gauge({
    name: 'pos_part_up',
    help:
      '1 while the part is well, 0 while it is not: the state says whether the rest goes on; absent where another ' +
      'part had to answer first.',
    labelNames: ['part', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [part, { state }] of Object.entries(last() ?? {}))
        if (state !== 'unknown') this.set({ part, state }, state === 'ok' ? 1 : 0);
    },
  });
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

export interface MetricsSource {
  registry: Registry;
  /** Called before each scrape, for figures that are read. */
  before?: () => Promise<void>;
  /** Further metrics in the same form, of a part that keeps its own. */
  beside?: () => Promise<string>;
  /** The answer of `/health/ready` there; absent: the process answers for itself elsewhere. */
  ready?: () => Promise<{ isReady: boolean; body: unknown }>;
}

export interface MetricsPlace {
  host: string;
  port: number;
  /** The setting that the port comes from. */
  setting: 'METRICS_PORT' | 'API_METRICS_PORT';
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Scrapes are short, and few ask. */
const limits = { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 65_000 };
const mostConnections = 50;

/**
 * Serves `/metrics`, `/health/live` and, where it is given, `/health/ready` on a port of their own, which no customer
 * reaches. Throws `WrongSetting` where it cannot listen. Port 0 takes a free one.
 */
export async function serveMetrics(
  { registry, before, beside, ready }: MetricsSource,
  { host, port, setting }: MetricsPlace,
): Promise<MetricsServer> {
  const metrics = async () => {
    await before?.();
    const [own, others = ''] = await Promise.all([registry.metrics(), beside?.()]);
    return own + others;
  };
  const answer = async (path: string, response: ServerResponse) => {
    if (path === '/metrics') return send(response, 200, await metrics(), registry.contentType);
    if (path === '/health/live') return send(response, 200, '{"status":"ok"}', json);
    if (path !== '/health/ready' || !ready) return send(response, 404, '{"message":"Not found."}', json);
    const { isReady, body } = await ready();
    return send(response, isReady ? 200 : 503, JSON.stringify(body), json);
  };
  const server = createServer(limits, ({ url = '/' }, response) => {
    const [path = '/'] = url.split('?');
    answer(path, response).catch(() => send(response, 500, '{"message":"The figures cannot be read."}', json));
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  }).catch((error: unknown) => {
    throw new WrongSetting(
      `The metrics cannot be served at ${host}:${port} (${reasonOf(error)}); set ${setting} to another one, or METRICS_HOST to an address of this machine.`,
    );
  });
  server.unref();
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const json = 'application/json; charset=utf-8';

function send(response: ServerResponse, status: number, body: string, type: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}
