import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scratch, startProcess, type BenchProcess } from './processes.ts';
import { send } from './send.ts';
import { passcode } from './shop.ts';
import { median } from './support.ts';

export interface SignInInput {
  databaseUrl: string;
  token: string;
  rounds: number;
  say: (line: string) => void;
}

export interface LoopDelay {
  p99Ms: number;
  mostMs: number;
}

export interface SignInRound {
  apiMs: number;
  plainMs: number;
  apiLoop: LoopDelay;
  plainLoop: LoopDelay;
}

const inARow = 5;
const atOnce = 8;
const probe = `--import=${new URL('loop-probe.ts', import.meta.url).href}`;

interface Side {
  process: BenchProcess;
  loopFile: string;
  /** Signs in a member of staff, by number: concurrent guesses for one person would be delayed. */
  signIn: (member: number) => Promise<unknown>;
}

/**
 * Signing in, beside only comparing a passcode; they alternate. Also the event loop delay of each process, which all
 * other routes feel, while eight sign in at once.
 */
export async function measureSignIn({ databaseUrl, token, rounds, say }: SignInInput): Promise<SignInRound[]> {
  const [api, plain] = await Promise.all([startApi(databaseUrl, token), startPlain()]);
  try {
    const done: SignInRound[] = [];
    for (let round = 0; round <= rounds; round++) {
      const [apiMs, plainMs] = [await timeOf(api), await timeOf(plain)];
      const [apiLoop, plainLoop] = [await loopOf(api), await loopOf(plain)];
      if (round === 0) continue;
      done.push({ apiMs, plainMs, apiLoop, plainLoop });
      say(`  sign-in, round ${round}: ${apiMs.toFixed(0)} ms beside ${plainMs.toFixed(0)} ms`);
    }
    return done;
  } finally {
    await Promise.allSettled([api.process.stop(), plain.process.stop()]);
  }
}

async function startApi(databaseUrl: string, token: string): Promise<Side> {
  const loopFile = join(scratch, 'api-loop.json');
  const process = await startProcess({
    name: 'sign-in-api',
    file: 'dist/api/main.js',
    environment: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: '127.0.0.1:9', BENCH_LOOP_DELAY: loopFile },
    readyPath: '/health/live',
    nodeOptions: probe,
  });
  const signIn = (member: number) => {
    const body = { email: `ada${member}@bench.example`, passcode, terminalId: 1 };
    return send(process.url, token, { method: 'POST', path: '/V1/pos/staff/authenticate', body });
  };
  return { process, loopFile, signIn };
}

async function startPlain(): Promise<Side> {
  const loopFile = join(scratch, 'plain-loop.json');
  const process = await startProcess({
    name: 'plain-sign-in',
    file: 'bench/plain-sign-in.ts',
    environment: { BENCH_LOOP_DELAY: loopFile },
    nodeOptions: probe,
  });
  return { process, loopFile, signIn: async () => (await fetch(`${process.url}/sign-in`)).json() };
}

async function timeOf({ signIn }: Side): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < inARow; n++) {
    const start = performance.now();
    await signIn(1);
    times.push(performance.now() - start);
  }
  return median(times);
}

async function loopOf(side: Side): Promise<LoopDelay> {
  await tell(side);
  await Promise.all(Array.from({ length: atOnce }, (_, member) => side.signIn(member + 1)));
  return tell(side);
}

/** The probe's delays since the last request. */
async function tell({ process: { pid }, loopFile }: Side): Promise<LoopDelay> {
  rmSync(loopFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(loopFile) || readFileSync(loopFile, 'utf8') === '') await pause(1);
  return JSON.parse(readFileSync(loopFile, 'utf8'));
}
