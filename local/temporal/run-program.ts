import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Environment } from './version.ts';

/** How many characters of what a failed program said are repeated. */
const wordsKept = 300;

interface Run {
  environment: Environment;
  folder: string;
  /** Absent: as long as it takes. */
  limitMs?: number;
  heard?: (line: string) => void;
}

/** Runs a program to its end, or to ours. Says its last words; code 0 is success. */
export async function runProgram([program = '', ...flags]: readonly string[], given: Run) {
  const child = spawn(program, flags, {
    cwd: given.folder,
    env: given.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(given.limitMs === undefined ? {} : { timeout: given.limitMs, killSignal: 'SIGKILL' }),
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  let lastWords = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    given.heard?.(line);
    lastWords = `${lastWords} ${line}`.slice(-wordsKept);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  process.removeListener('exit', stop);
  return { code, lastWords: lastWords.trim() };
}
