import { join } from 'node:path';
import { freePort } from '../../local/free-port.ts';
import { nodeProcess } from '../../local/node-process.ts';
import { scratch, type BenchProcess } from '../processes.ts';

export interface PeerProcessWish {
  name: string;
  file: string;
  arguments?: readonly string[];
  readyPath: string;
  environment: Record<string, string>;
}

/** Starts a peer's server on a free port. */
export async function startPeerProcess({
  name,
  file,
  readyPath,
  environment,
  ...wish
}: PeerProcessWish): Promise<BenchProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const part = nodeProcess({
    name,
    file,
    arguments: wish.arguments ?? [],
    environment: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...environment },
    logFile: join(scratch, `${name}.log`),
    isReadyWhen: { answersAt: url + readyPath },
    patienceMs: 20_000,
    show: (line) => process.stderr.write(`${name}: ${line}\n`),
  });
  const running = await part.start(new AbortController().signal);
  return { url, pid: running.pid, stop: () => running.stop() };
}
