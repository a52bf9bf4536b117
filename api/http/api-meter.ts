import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { PosError } from '../../domain/errors.ts';
import { StillRunning, type Workflows } from '../../providers/temporal/workflows.ts';
import type { PoolUsage } from '../../db/support/connections/guard-pool.ts';
import { createRegistry, measureHealth, measurePools, serveMetrics } from '../../providers/observe/metrics.ts';
import type { Settings } from '../../providers/settings.ts';
import type { HealthWatch } from './health.ts';
import type { AnsweredRequest, Meter } from './middleware/observe.ts';

/** In seconds: most requests end within the first, a register gives up after the last but one. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The outcomes by which an `Idempotency-Key` is refused. */
const keyOutcomes: ReadonlySet<string> = new Set([
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'idempotency_answer_not_kept',
]);

/** Every limit on tries says so in these words, whatever its status. */
const limitWords = /^Too many .*\b(?:again|wait)\b/i;

/** What the API counts of its requests. Loaded only where metrics are served. */
export function createApiMeter(registry: Registry): Meter & { measured: (workflows: Workflows) => Workflows } {
  const registers = [registry];
  const requests = new Counter({
    ...{
      name: 'pos_http_requests_total',
      help: 'Answered requests.',
      labelNames: ['method', 'route', 'status'],
      registers,
    },
  });
  const seconds = new Histogram({
    name: 'pos_http_request_duration_seconds',
    help: 'Time from the head of a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  });
  const underWay = new Gauge({
    ...{ name: 'pos_http_requests_in_flight', help: 'Requests that are not answered yet.', registers },
  });
  const refusals = refusalCounters(registry);

  const ended = ({ method, route, status, ms, refusal, credentials }: AnsweredRequest) => {
    underWay.dec();
    requests.inc({ method, route, status });
    seconds.observe({ method, route }, ms / 1_000);
    if (!refusal) return;
    const outcome: unknown = refusal.parameters && Reflect.get(refusal.parameters, 'outcome');
    if (typeof outcome === 'string' && keyOutcomes.has(outcome)) refusals.keys.inc({ outcome });
    if (status === 401) refusals.signIns.inc({ by: credentials });
    if (status === 429 || limitWords.test(refusal.message)) refusals.limits.inc({ route });
  };
  const turnedAway = new Counter({
    name: 'pos_http_turned_away_total',
    help: 'Connections and requests that were one too many of an address or of the process, and idle connections that gave way.',
    labelNames: ['by'],
    registers,
  });
  return {
    began: () => underWay.inc(),
    turnedAway: (by) => turnedAway.inc({ by }),
    ended,
    measured: (workflows) => measuredBy(registry, workflows),
  };
}

function refusalCounters(registry: Registry) {
  const registers = [registry];
  return {
    keys: new Counter({
      name: 'pos_idempotency_conflicts_total',
      help: 'Repeats that got no answer: the first is under way, was another request, or its answer was not kept.',
      labelNames: ['outcome'],
      registers,
    }),
    signIns: new Counter({
      name: 'pos_sign_in_refusals_total',
      help: 'Requests refused with 401: without a token, by their token, or by the password or code they sent.',
      labelNames: ['by'],
      registers,
    }),
    limits: new Counter({
      name: 'pos_rate_limit_refusals_total',
      help: 'Requests refused as there were too many.',
      labelNames: ['route'],
      registers,
    }),
  };
}

/** The same workflows; how long each update was waited for is measured, and how it ended. */
function measuredBy(registry: Registry, workflows: Workflows): Workflows {
  const waits = new Histogram({
    name: 'pos_workflow_update_duration_seconds',
    help: 'Time that a request waited for the answer of a workflow.',
    labelNames: ['update', 'outcome'],
    buckets: requestBuckets,
    registers: [registry],
  });
  return {
    ...workflows,
    async ask(question) {
      const { name: update } = question.update;
      const since = performance.now();
      const end = (outcome: string) => waits.observe({ update, outcome }, (performance.now() - since) / 1_000);
      try {
        const answer = await workflows.ask(question);
        end('answered');
        return answer;
      } catch (error) {
        end(outcomeOf(error));
        throw error;
      }
    },
  };
}

function outcomeOf(error: unknown): string {
  if (error instanceof StillRunning) return 'still_running';
  if (!(error instanceof PosError)) return 'fault';
  return error.status === 503 ? 'away' : 'refused';
}

export interface ApiMetricsParts {
  settings: Settings;
  /** The pools of the process by name, which are filled when they are made. */
  pools: ReadonlyMap<string, () => PoolUsage>;
  health: HealthWatch;
}

/** Serves the API's metrics where `API_METRICS_PORT` says. Throws `WrongSetting` where that cannot be used. */
export async function serveApiMetrics({ settings, pools, health }: ApiMetricsParts) {
  const { METRICS_HOST: host, API_METRICS_PORT: port = 0 } = settings;
  const registry = createRegistry('api');
  measurePools(registry, pools);
  measureHealth(registry, () => health.last()?.parts);
  const meter = createApiMeter(registry);
  const server = await serveMetrics({ registry }, { host, port, setting: 'API_METRICS_PORT' });
  return { meter, measured: meter.measured, port: server.port, close: () => server.close() };
}
