import { spawn, type ChildProcess } from 'node:child_process';

export interface StartedShop {
  child: ChildProcess;
  /** Everything it printed so far. */
  said: () => string;
  /** Its exit code. */
  ended: Promise<number | null>;
}

/**
 * `npm start` in a process of its own, with free ports and servers of its own, until it is ready or has ended. A second
 * start on the same folder goes on with its data.
 */
export async function startShop(dataDir: string): Promise<StartedShop> {
  const child = spawn(process.execPath, ['local/start.ts'], {
    env: { ...process.env, PORT: '0', POS_DATA_DIR: dataDir, TEMPORAL_ADDRESS: '', DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const isReady = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += String(chunk);
        if (said.includes('Ctrl-C stops everything')) resolve();
      });
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await Promise.race([isReady, ended]);
  return { child, said: () => said, ended };
}
