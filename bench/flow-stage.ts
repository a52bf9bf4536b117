import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { findServer } from '../local/temporal/find-server.ts';
import { startTemporal } from '../local/temporal/start-server.ts';
import { freePort } from '../local/free-port.ts';
import { scratch, startProcess, type BenchProcess } from './processes.ts';

export const plainQueue = 'bench-plain';
export const namespace = 'pos';

/**
 * What measuring workflows needs beside the API: a Temporal server, a gateway, our worker, and a plain worker for
 * comparison.
 */
export interface FlowStage {
  temporal: string;
  /** The server's process; absent where somebody else runs it. */
  temporalPid?: number;
  gateway: string;
  worker: BenchProcess;
  plainWorker: BenchProcess;
  stop(): Promise<void>;
}

export interface FlowStageInput {
  databaseUrl: string;
  /** Node's own flags for our worker, such as `--cpu-prof`. */
  nodeOptions?: string;
  /** Further variables of our worker. */
  environment?: Record<string, string>;
  say: (line: string) => void;
}

/** A Temporal server alone, for what only looks whether one is there; somebody else's is not stopped. */
export async function startServer(
  say: (line: string) => void,
): Promise<{ address: string; pid?: number; stop(): Promise<void> }> {
  const found = await findServer({ environment: process.env, say });
  if (!('binary' in found)) return { address: found.address, stop: async () => undefined };
  return startTemporal({
    binary: found.binary,
    namespace,
    dataFile: join(scratch, 'temporal.db'),
    logFile: join(scratch, 'temporal.log'),
  });
}

export async function startFlowStage({
  databaseUrl,
  nodeOptions,
  environment: more,
  say,
}: FlowStageInput): Promise<FlowStage> {
  const server = await startServer(say);
  const temporal = server.address;
  const running: BenchProcess[] = [];
  const start = async (input: Parameters<typeof startProcess>[0]) => {
    const one = await startProcess(input);
    running.push(one);
    return one;
  };
  const stop = async () => {
    await Promise.allSettled(running.map((one) => one.stop()));
    await server.stop();
  };
  try {
    const gatewayUrl = `http://127.0.0.1:${await freePort()}`;
    await start({
      name: 'gateway',
      file: 'dist/local/simulators/main.js',
      environment: { GATEWAY_SIMULATOR_URL: gatewayUrl },
      readyAt: `${gatewayUrl}/cents`,
    });
    const environment = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporal, GATEWAY_SIMULATOR_URL: gatewayUrl };
    const metricsPort = await freePort();
    const bundle = join(scratch, 'workflows.js');
    execFileSync(process.execPath, ['dist/worker/bundle.js', bundle]);
    const worker = await start({
      name: 'worker',
      file: 'dist/worker/main.js',
      environment: { ...environment, ...more, WORKFLOW_BUNDLE: bundle, METRICS_PORT: String(metricsPort) },
      readyAt: `http://127.0.0.1:${metricsPort}/metrics`,
      ...(nodeOptions === undefined ? {} : { nodeOptions }),
    });
    const plain = { ...environment, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: plainQueue };
    const plainWorker = await start({
      name: 'plain-worker',
      file: 'bench/plain-worker.ts',
      environment: plain,
      readyPath: '/',
    });
    const own = server.pid === undefined ? {} : { temporalPid: server.pid };
    return { temporal, ...own, gateway: gatewayUrl, worker, plainWorker, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
