import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../local/postgres.ts';
import { drive, type Driven } from './drive.ts';
import { startMedusa } from './medusa.ts';
import { startOurs } from './ours.ts';
import { paths, type PathName, type Peer, type PeerWish, type ShopSize } from './peer.ts';
import { startVendure } from './vendure.ts';

export interface PeersWish {
  rounds: number;
  seconds: number;
  /** Measures only paths whose name contains this. */
  only: string;
  size: ShopSize;
  say: (line: string) => void;
}

export interface PeersMeasured {
  peers: { name: string; version: string }[];
  rows: { path: PathName; rounds: Partial<Record<string, Driven[]>> }[];
}

const connections = 8;
const starters: Record<string, (wish: PeerWish) => Promise<Peer>> = {
  ours: startOurs,
  medusa: startMedusa,
  vendure: startVendure,
};

/**
 * Measures this service beside Medusa and Vendure. All have the same data and share one PostgreSQL server, with a
 * database each. Rounds alternate, so that all run on the machine in the same state. What is installed stays in a
 * folder of the user's cache and is not part of `npm ci`.
 */
export async function measurePeers(wish: PeersWish): Promise<PeersMeasured> {
  const { say, size } = wish;
  const home = join(homedir(), '.cache', 'pos-peers');
  mkdirSync(home, { recursive: true });
  const postgres = await startPostgres({ durable: true });
  const peers: Peer[] = [];
  const running: PeerWish['running'] = [];
  try {
    for (const [name, start] of Object.entries(starters)) {
      await createDatabase(postgres.url('postgres'), name);
      peers.push(await start({ databaseUrl: postgres.url(name), size, home, running, say }));
    }
    const rows: PeersMeasured['rows'] = [];
    for (const path of paths.filter((one) => one.includes(wish.only)))
      rows.push({ path, rounds: await measurePath(wish, { path, peers, postgresPid: postgres.pid }) });
    return { peers: peers.map(({ name, version }) => ({ name, version })), rows };
  } finally {
    for (const one of running) await one.stop().catch(() => undefined);
    await postgres.stop();
  }
}

interface Measured {
  path: PathName;
  peers: readonly Peer[];
  postgresPid: number;
}

async function measurePath({ rounds, seconds, say }: PeersWish, { path, peers, postgresPid }: Measured) {
  const got: Partial<Record<string, Driven[]>> = {};
  const next = new Map<string, number>();
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const peer of peers) {
      const call = peer.calls[path];
      if (call === undefined) continue;
      const from = next.get(peer.name) ?? 0;
      const driven = await drive({ peer, call, connections, seconds, from, postgresPid });
      next.set(peer.name, driven.next);
      if (round > 0) (got[peer.name] ??= []).push(driven);
      say(
        `  ${path}, ${round === 0 ? 'warming up' : `round ${round}`}: ${peer.name} ${driven.perSecond.toFixed(1)} a second`,
      );
    }
  return got;
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
}
