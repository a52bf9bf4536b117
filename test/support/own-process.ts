import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../local/free-port.ts';
import type { Flow } from './flow.ts';

/** Where a process of a shop finds the others. */
export interface Place {
  databaseUrl: string;
  temporalAddress: string;
  taskQueue: string;
  gatewayUrl: string;
}

const placeOf = (shop: Flow | Place): Place =>
  'api' in shop
    ? {
        databaseUrl: String(shop.api.orm.config.get('clientUrl')),
        temporalAddress: shop.temporalAddress,
        taskQueue: shop.taskQueue,
        gatewayUrl: shop.gateway.url,
      }
    : shop;

export interface OwnProcessOptions {
  /** Variables in addition to the environment; undefined takes one away. */
  env?: Record<string, string | undefined>;
  /** Where its sources are; absent: here. */
  sources?: string;
  /** A module that is loaded before everything else. */
  preload?: string;
}

/** A process of a flow's shop that can be killed without warning. */
export interface OwnProcess {
  child: ChildProcess;
  kill(): Promise<void>;
  /** All that its log has said so far. */
  log(): string;
}

/** A worker in its own process. */
export const aWorkerProcess = (flow: Flow | Place, options: OwnProcessOptions = {}): Promise<OwnProcess> =>
  aProcess(placeOf(flow), 'worker', options);

/** An API in its own process, and its address. */
export async function anApiProcess(
  flow: Flow | Place,
  options: OwnProcessOptions = {},
): Promise<OwnProcess & { url: string }> {
  const api = await aProcess(placeOf(flow), 'api', { ...options, env: { PORT: '0', ...options.env } });
  const [, port = ''] = /"port":(\d+)/.exec(api.log()) ?? [];
  return { ...api, url: `http://127.0.0.1:${port}` };
}

async function aProcess(
  { databaseUrl, temporalAddress, taskQueue, gatewayUrl }: Place,
  name: 'worker' | 'api',
  { env = {}, preload, sources = '.' }: OwnProcessOptions,
): Promise<OwnProcess> {
  const loaded = preload === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...loaded, `${name}/main.ts`], {
    cwd: sources,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_TASK_QUEUE: taskQueue,
      WORKFLOW_BUNDLE: process.env['TEST_BUNDLE'],
      // An API calls none.
      ...(name === 'worker' ? { GATEWAY_SIMULATOR_URL: gatewayUrl } : {}),
      GATEWAY_TIMEOUT_SECONDS: '5',
      METRICS_PORT: String(await freePort()),
      // A browser of its own would only cost time.
      CHROMIUM_PATH: '/nowhere/chromium',
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes(`${name} ready`)) resolve();
    });
    child.once('exit', () => reject(new Error(`the ${name} ended before it was ready: ${said}`)));
  });
  return {
    child,
    log: () => said,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
