import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Lane } from '../../crash/lane.ts';

export const troubleNames = ['locked', 'frozen', 'flood'] as const;
export type TroubleName = (typeof troubleNames)[number];

export interface TroubleParts {
  lane: Lane;
  seconds: number;
  /** Of the server, which is ours alone. */
  postgresPid: number;
}

/** What is done to a shop that works. Settles when it is over; answers how it looked from outside, for the report. */
export const troubles: Record<TroubleName, (parts: TroubleParts) => Promise<string>> = {
  /** Another process holds every second order. */
  async locked({ lane, seconds }) {
    const client = new pg.Client({ connectionString: String(lane.orm.config.get('clientUrl')) });
    await client.connect();
    await client.query('begin');
    const { rowCount } = await client.query('select 1 from sales_order where entity_id % 2 = 0 for update');
    await pause(seconds * 1_000);
    await client.query('rollback');
    await client.end();
    return `${rowCount} orders were held`;
  },

  /** Every process of PostgreSQL stands still, and goes on. */
  async frozen({ seconds, postgresPid }) {
    return `${await standStill(postgresPid, seconds)} processes stood still`;
  },

  /** A caller without a token tries random names, forty each second. */
  async flood({ lane, seconds }) {
    const until = Date.now() + seconds * 1_000;
    const statuses: Promise<number>[] = [];
    for (let number = 0; Date.now() < until; number++) {
      statuses.push(guess(lane.url, number));
      await pause(25);
    }
    const counted = Map.groupBy(await Promise.all(statuses), (status) => status);
    return [...counted].map(([status, all]) => `${all.length} guesses were answered ${status}`).join(', ');
  },
};

/** A server and its children stop for so long. @returns how many there are */
export async function standStill(server: number, seconds: number): Promise<number> {
  const stopped = [server, ...childrenOf(server)];
  for (const pid of stopped) signal(pid, 'SIGSTOP');
  await pause(seconds * 1_000);
  for (const pid of stopped) signal(pid, 'SIGCONT');
  return stopped.length;
}

async function guess(url: string, number: number): Promise<number> {
  const response = await fetch(`${url}/rest/V1/integration/${number % 2 ? 'admin' : 'customer'}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `random-${Date.now()}-${number}@nowhere.test`, password: 'guess' }),
  });
  await response.body?.cancel();
  return response.status;
}

/** One that has ended meanwhile needs no signal. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^\d+ \(.*\) \w (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
