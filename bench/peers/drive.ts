import { readdirSync, readFileSync } from 'node:fs';
import { cpuTimeMs } from '../support/cpu-time.ts';
import type { Call, Peer } from './peer.ts';

export interface Driven {
  perSecond: number;
  /** Processor time of one path, in ms. */
  cpuMs: { application: number; engine: number; database: number };
}

export interface DriveWish {
  peer: Peer;
  call: Call;
  connections: number;
  seconds: number;
  /** The number that the first call gets. */
  from: number;
  /** The PostgreSQL server, whose processor time counts as the database's. */
  postgresPid: number;
}

/** Runs one path with a number of clients at once. Each client starts again when its path is done. */
export async function drive(wish: DriveWish): Promise<Driven & { next: number }> {
  const { peer, call, connections, seconds, postgresPid } = wish;
  const used = () => ({
    application: sum(peer.pids.application),
    engine: sum(peer.pids.engine),
    database: databaseMs(postgresPid),
  });
  let [next, done] = [wish.from, 0];
  const before = used();
  const start = performance.now();
  const client = async () => {
    while (performance.now() - start < seconds * 1_000) {
      await call(next++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (performance.now() - start) / 1_000;
  const after = used();
  return {
    next,
    perSecond: done / elapsed,
    cpuMs: {
      application: (after.application - before.application) / done,
      engine: (after.engine - before.engine) / done,
      database: (after.database - before.database) / done,
    },
  };
}

const sum = (pids: readonly number[]) => pids.reduce((all, pid) => all + (cpuTimeMs(pid) ?? Number.NaN), 0);

const msPerTick = 10;

/** Processor time of a PostgreSQL server with its children, both ended and running ones. */
function databaseMs(postmaster: number): number {
  const ended = statOf(postmaster)?.ended ?? 0;
  const atWork = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => statOf(Number(name))?.parent === postmaster)
    .map(Number);
  return ended + sum([postmaster]) + atWork.reduce((all, pid) => all + (cpuTimeMs(pid) ?? 0), 0);
}

function statOf(pid: number): { parent: number; ended: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name is in brackets and may contain spaces, so fields are read after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ended: (Number(fields[13]) + Number(fields[14])) * msPerTick };
  } catch {
    return undefined;
  }
}
