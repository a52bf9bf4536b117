import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../local/free-port.ts';
import type { Flow } from './flow.ts';

export interface WorkerProcessOptions {
  /** Variables in addition to the environment. */
  env?: Record<string, string>;
  /** A module that is loaded before everything else. */
  preload?: string;
}

/** A worker in its own process, so that it can be killed without warning. */
export async function aWorkerProcess(
  flow: Flow,
  { env = {}, preload }: WorkerProcessOptions = {},
): Promise<{ kill(): Promise<void>; child: ChildProcess }> {
  const loaded = preload === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...loaded, 'worker/main.ts'], {
    env: {
      ...process.env,
      DATABASE_URL: flow.api.orm.config.get('clientUrl'),
      TEMPORAL_ADDRESS: flow.temporalAddress,
      TEMPORAL_TASK_QUEUE: flow.taskQueue,
      WORKFLOW_BUNDLE: process.env['TEST_BUNDLE'],
      GATEWAY_SIMULATOR_URL: flow.gateway.url,
      GATEWAY_TIMEOUT_SECONDS: '5',
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('worker ready')) resolve();
    });
    child.once('exit', () => reject(new Error(`the worker ended before it was ready: ${said}`)));
  });
  return {
    child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
