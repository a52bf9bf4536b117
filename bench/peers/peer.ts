import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuOf, databaseMs } from '../support.ts';

/** The measured paths, by their names in the table. */
export const paths = [
  'order read',
  'product by sku',
  'product list of 100',
  "a customer's orders",
  'orders by status, newest first, 20',
  'sale: order, payment, hand-over',
  'return in one call, refund by hand',
  'return step by step',
] as const;
export type PathName = (typeof paths)[number];

/** One whole path over HTTP. `n` counts up, so that each return takes another order. Throws when a call is refused. */
type Call = (n: number) => Promise<unknown>;

/** A running shop with the same data as the others. */
export interface Peer {
  name: string;
  version: string;
  calls: Partial<Record<PathName, Call>>;
  /** The processes whose processor time counts: the application's, and those of its workflow engine. */
  pids: { application: readonly number[]; engine: readonly number[] };
}

/** The amount of data, equal for all peers. */
export interface ShopSize {
  products: number;
  customers: number;
  orders: number;
}

export interface PeerInput {
  /** An empty database on the shared server. */
  databaseUrl: string;
  size: ShopSize;
  /** The folder of installed peers, kept between runs. */
  home: string;
  /** Each process that was started, the last one first: they are stopped however the run ends. */
  running: { stop(): Promise<void> }[];
  say: (line: string) => void;
}

export const linesOfOrder = 3;
export const emailOf = (n: number): string => `customer-${n}@peers.example`;
export const skuOf = (n: number): string => `PEER-${String(n).padStart(5, '0')}`;
/** Prices from 5.00 to 94.00, chosen so that tax needs no rounding. */
export const centsOf = (n: number): number => (5 + (n % 90)) * 100;
/** The products of an order: three different ones. */
export const productsOf = (order: number, products: number): number[] =>
  Array.from({ length: linesOfOrder }, (_, line) => (order * 7 + line * 331) % products);

/** A peer's answer. It is not checked here: a wrong one makes the next call fail. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any;

/**
 * Installs a peer in its own folder, outside the project: `npm ci` does not install it. A folder with the right
 * versions is used again.
 *
 * @returns the folder
 */
export function installPeer(name: string, { home, say }: PeerInput): string {
  const source = join(import.meta.dirname, name);
  const folder = join(home, name);
  const isInstalled = existsSync(join(folder, 'node_modules')) && inputOf(folder) === inputOf(source);
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  if (isInstalled) return folder;
  say(`Installing ${name} in ${folder} …`);
  const flags = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  execFileSync('npm', flags, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

const inputOf = (folder: string): string => {
  const file = join(folder, 'package.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** The installed version of a package. */
export function versionOf(folder: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  return String(version);
}

export interface Driven {
  perSecond: number;
  /** Processor time of one path, in ms. */
  cpuMs: { application: number; engine: number; database: number };
}

export interface DriveInput {
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
export async function drive(input: DriveInput): Promise<Driven & { next: number }> {
  const { peer, call, connections, seconds, postgresPid } = input;
  const used = () => ({
    application: cpuOf(peer.pids.application),
    engine: cpuOf(peer.pids.engine),
    database: databaseMs(postgresPid),
  });
  let [next, done] = [input.from, 0];
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
