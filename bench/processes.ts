import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../local/free-port.ts';
import { nodeProcess } from '../local/node-process.ts';
import type { Running } from '../local/supervisor.ts';

export interface BenchProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface ProcessInput {
  name: string;
  file: string;
  environment: Record<string, string>;
  /** The path that answers when it is ready, on its own port or elsewhere. */
  readyPath?: string;
  readyAt?: string;
  /** Node's own flags, such as `--cpu-prof`. */
  nodeOptions?: string;
}

export const scratch = mkdtempSync(join(tmpdir(), 'pos-bench-'));

/** A separate process on a free port, whose environment has only our path. */
export async function startProcess(input: ProcessInput): Promise<BenchProcess> {
  const { name, file, environment, nodeOptions } = input;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const part = nodeProcess({
    name,
    file,
    // As arguments: the environment takes only some of V8's.
    flags: nodeOptions?.split(' ').filter((flag) => flag !== '') ?? [],
    environment: {
      PATH: process.env['PATH'],
      PORT: String(port),
      POS_DATA_DIR: scratch,
      POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'warn',
      ...environment,
    },
    logFile: join(scratch, `${name}.log`),
    isReadyWhen: { answersAt: input.readyAt ?? `${url}${input.readyPath ?? '/'}` },
    patienceMs: 15_000,
    show: (line) => process.stderr.write(`${name}: ${line}\n`),
  });
  const running: Running = await part.start(new AbortController().signal);
  return { url, pid: running.pid, stop: () => running.stop() };
}
