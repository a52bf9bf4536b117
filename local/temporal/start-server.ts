import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { keepLongEnough, lackOf, readNamespace, searchAttributes } from '../../providers/temporal/prepare-namespace.ts';
import { freePort, isTaken } from '../free-port.ts';
import { privately } from '../privately.ts';

/**
 * With the server's own limits, which suit big clusters, a task takes 50 ms longer and a timer a second.
 * `deploy/temporal/dynamic-config.yaml` has the same values for your own server.
 */
export const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 500,
  'history.timerProcessorMaxTimeShift': '1ms',
  'system.enableActivityEagerExecution': true,
} as const;

export interface TemporalServer {
  address: string;
  port: number;
  /** Undefined without the UI. */
  uiPort: number | undefined;
  pid: number;
  /** Settles with the reason when the server has ended. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface TemporalOptions {
  binary: string;
  namespace?: string;
  /** Absent: a free port. */
  port?: number;
  /** Absent: no UI. */
  uiPort?: number;
  /** The file of the workflows; absent: they are lost with the server. */
  dataFile?: string;
  logFile?: string;
  /** Dynamic configuration in addition to ours. */
  settings?: Record<string, unknown>;
  /** Called with its process id before it answers. */
  born?: ((pid: number) => void) | undefined;
}

const startAttempts = 3;
const readyWithinMs = 30_000;
const stoppedWithinMs = 5_000;
const askEveryMs = 20;
const answerWithinMs = 2_000;
const logShown = 1_500;

/** The write-ahead log doubles the throughput. */
const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL'];

/** Starts a Temporal server of our own and waits until its namespace and search attributes answer. */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const namespace = options.namespace ?? 'pos';
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const logFile = options.logFile ?? join(tmpdir(), `pos-temporal-${port}.log`);
    const child = privately(() => launch({ ...options, namespace, port, logFile }));
    if (child.pid !== undefined) options.born?.(child.pid);
    const server = serverOf(child, { port, uiPort: options.uiPort });
    if (await becomesReady(server, namespace)) return server;
    await server.stop();
    if (options.port !== undefined || attempt === startAttempts)
      throw new Error(
        `The Temporal server did not start:\n${existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-logShown) : ''}`,
      );
  }
}

function launch(at: TemporalOptions & { namespace: string; port: number; logFile: string }): ChildProcess {
  for (const file of [at.logFile, at.dataFile]) if (file) mkdirSync(dirname(file), { recursive: true });
  const flags = [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(at.port), '--namespace', at.namespace],
    ...(at.uiPort === undefined ? ['--headless'] : ['--ui-port', String(at.uiPort), '--ui-disable-news-fetch']),
    ...(at.dataFile ? ['--db-filename', at.dataFile] : []),
    ...(at.dataFile ? pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]) : []),
    ...Object.entries({ ...dynamicConfig, ...at.settings }).flatMap(([name, value]) => [
      '--dynamic-config-value',
      `${name}=${JSON.stringify(value)}`,
    ]),
    ...Object.entries(searchAttributes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ];
  const log = openIfPossible(at.logFile);
  // A process group of its own: Ctrl-C then reaches only the parent, which decides the order of stopping.
  const child = spawn(at.binary, flags, { stdio: ['ignore', log ?? 'ignore', log ?? 'ignore'], detached: true });
  if (log !== undefined) closeSync(log);
  return child;
}

/** A server without a log is better than none: a full disk may refuse even an empty file. */
function openIfPossible(file: string): number | undefined {
  try {
    return openSync(file, 'a');
  } catch {
    return undefined;
  }
}

function serverOf(child: ChildProcess, ports: { port: number; uiPort: number | undefined }): TemporalServer {
  const killOrphan = () => child.kill('SIGKILL');
  process.once('exit', killOrphan);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void ended.then(() => process.removeListener('exit', killOrphan));
  return {
    ...ports,
    address: `127.0.0.1:${ports.port}`,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGINT');
      const impatience = setTimeout(killOrphan, stoppedWithinMs);
      await ended;
      clearTimeout(impatience);
    },
  };
}

async function becomesReady(server: TemporalServer, namespace: string): Promise<boolean> {
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  for (const until = Date.now() + readyWithinMs; !hasEnded && Date.now() < until; await sleep(askEveryMs)) {
    // Plain TCP first: gRPC waits a full second after a refused connection.
    if ((await isTaken(server.port)) && (await isPrepared(server.address, namespace))) return !hasEnded;
  }
  return false;
}

/** It makes namespace and search attributes by its flags; for how long it keeps what is closed has none. */
async function isPrepared(address: string, namespace: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: answerWithinMs });
    const opened = connection;
    return await opened.withDeadline(Date.now() + answerWithinMs, async () => {
      const found = await readNamespace(opened, namespace);
      if (!found || lackOf(found, namespace)) return false;
      await keepLongEnough(opened, namespace, found);
      return true;
    });
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
