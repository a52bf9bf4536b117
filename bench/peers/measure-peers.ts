import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { createOrm } from '../../db/orm.ts';
import { startPostgres } from '../../local/postgres.ts';
import { startFlowStage } from '../flow-stage.ts';
import { startProcess } from '../processes.ts';
import { orderOf } from '../scenarios/create-order.ts';
import { returnInOneCall, returnInSteps } from '../sell.ts';
import { send } from '../send.ts';
import { shippedFlags } from '../shipped-flags.ts';
import { firstIds, makeShop, productCount } from '../shop.ts';
import { median } from '../support.ts';
import { inParallel, startMedusa } from './medusa.ts';
import {
  drive,
  emailOf,
  paths,
  productsOf,
  type Answer,
  type Driven,
  type PathName,
  type Peer,
  type PeerInput,
  type ShopSize,
} from './peer.ts';
import { startVendure } from './vendure.ts';

type Ask = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

const firstCustomer = 96_500_001;

/** This service with its worker and its Temporal server, called as a register calls it. */
async function startOurs({ databaseUrl, size, running, say }: PeerInput): Promise<Peer> {
  await migrate(databaseUrl);
  const orm = await createOrm(databaseUrl);
  const token = await makeShop(orm.em.fork());
  await orm.em.fork().execute(
    `insert into customer (id, website_id, store_id, group_id, email, firstname, lastname)
     select ${firstCustomer} + n, 1, 1, 1, 'customer-' || n || '@peers.example', 'Ada', 'Number ' || n
     from generate_series(0, ${size.customers - 1}) n`,
  );
  await orm.close();
  const nodeOptions = shippedFlags('worker');
  const stage = await startFlowStage({ databaseUrl, say, ...(nodeOptions === '' ? {} : { nodeOptions }) });
  running.unshift(stage);
  const api = await startProcess({
    name: 'api',
    file: 'dist/api/main.js',
    environment: {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: stage.temporal,
      GATEWAY_SIMULATOR_URL: stage.gateway,
    },
    readyPath: '/health/live',
    nodeOptions: shippedFlags('api'),
  });
  running.unshift(api);
  const ask: Ask = (method, path, body) => send(api.url, token, { method, path, body });
  say(`Ours: ${size.orders} sales …`);
  const sold = await inParallel(size.orders, (n) => sell(ask, n, size.customers));
  const one = (n: number) => sold[n % sold.length] ?? { orderId: 0, itemIds: [] };
  const register = { apiUrl: api.url, token };
  const returned = (n: number, line: number) => ({ orderId: one(n).orderId, orderItemId: one(n).itemIds[line] ?? 0 });
  return {
    name: 'Ours',
    version: versionOfUs(),
    pids: {
      application: [api.pid, stage.worker.pid],
      engine: stage.temporalPid === undefined ? [] : [stage.temporalPid],
    },
    calls: {
      'order read': (n) => ask('GET', `/V1/orders/${one(n).orderId}`),
      'product by sku': (n) => ask('GET', `/V1/products/SKU-${String(1 + (n % productCount)).padStart(5, '0')}`),
      'product list of 100': () => ask('GET', '/V1/products?searchCriteria[pageSize]=100'),
      "a customer's orders": (n) =>
        ask('GET', `/V1/orders?${filter('customer_id', firstCustomer + (n % size.customers))}&${newestTwenty}`),
      'orders by status, newest first, 20': () =>
        ask('GET', `/V1/orders?${filter('status', 'complete')}&${newestTwenty}`),
      'sale: order, payment, hand-over': async (n) => sold.push(await sell(ask, size.orders + n, size.customers)),
      'return in one call, refund by hand': (n) => returnInOneCall(register, returned(n, 0)),
      'return step by step': (n) => returnInSteps(register, returned(n, 1)),
    },
  };
}

const versionOfUs = (): string =>
  String(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version);

const filter = (field: string, value: string | number) =>
  `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;
const newestTwenty =
  'searchCriteria[sortOrders][0][field]=created_at&searchCriteria[sortOrders][0][direction]=DESC' +
  '&searchCriteria[pageSize]=20';

interface Sold {
  orderId: number;
  /** The order's lines: each kind of return takes another one back. */
  itemIds: number[];
}

/** Three calls: the order, its invoice as paid, its shipment. */
async function sell(ask: Ask, n: number, customers: number): Promise<Sold> {
  const entity = orderOf(`peers-${n}`);
  const products = productsOf(n, productCount);
  const items = entity.items.map((item, line) => {
    const product = products[line] ?? 0;
    return {
      ...item,
      sku: `SKU-${String(product + 1).padStart(5, '0')}`,
      name: `Product number ${product + 1}`,
      product_id: firstIds.product + product,
    };
  });
  const customer = {
    customer_is_guest: 0,
    customer_id: firstCustomer + (n % customers),
    customer_group_id: 1,
    customer_email: emailOf(n % customers),
  };
  const order = await ask('POST', '/V1/orders', { entity: { ...entity, ...customer, items } });
  await ask('POST', `/V1/order/${order.entity_id}/invoice`, { capture: true });
  await ask('POST', `/V1/order/${order.entity_id}/ship`, {
    arguments: { extension_attributes: { source_code: 'floor' } },
  });
  return { orderId: order.entity_id, itemIds: order.items.map((item: { item_id: number }) => item.item_id) };
}

export interface PeersInput {
  rounds: number;
  seconds: number;
  /** Measures only paths whose name contains this. */
  only: string;
  size: ShopSize;
  say: (line: string) => void;
}

interface PeersMeasured {
  peers: { name: string; version: string }[];
  rows: { path: PathName; rounds: Partial<Record<string, Driven[]>> }[];
}

const connections = 8;
const starters: Record<string, (request: PeerInput) => Promise<Peer>> = {
  ours: startOurs,
  medusa: startMedusa,
  vendure: startVendure,
};

/**
 * Measures this service beside Medusa and Vendure. All have the same data and share one PostgreSQL server, with a
 * database each. Rounds alternate, so that all run on the machine in the same state. What is installed stays in a
 * folder of the user's cache and is not part of `npm ci`.
 */
export async function measurePeers(input: PeersInput): Promise<PeersMeasured> {
  const { say, size } = input;
  const home = join(homedir(), '.cache', 'pos-peers');
  mkdirSync(home, { recursive: true });
  const postgres = await startPostgres({ durable: true });
  const peers: Peer[] = [];
  const running: PeerInput['running'] = [];
  try {
    for (const [name, start] of Object.entries(starters)) {
      await createDatabase(postgres.url('postgres'), name);
      peers.push(await start({ databaseUrl: postgres.url(name), size, home, running, say }));
    }
    const rows: PeersMeasured['rows'] = [];
    for (const path of paths.filter((one) => one.includes(input.only)))
      rows.push({ path, rounds: await measurePath(input, { path, peers, postgresPid: postgres.pid }) });
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

async function measurePath({ rounds, seconds, say }: PeersInput, { path, peers, postgresPid }: Measured) {
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

/**
 * The table of paths and peers as Markdown: paths a second with their spread, and the processor time of each process.
 */
export function reportPeers({ peers, rows }: PeersMeasured): string {
  const head = ['Path, 8 clients', ...peers.map(({ name, version }) => `${name} ${version}`), 'Ours beside the best'];
  const lines = rows.map(({ path, rounds }) => {
    const others = peers.slice(1).map(({ name }) => rateOf(rounds[name]));
    const best = Math.max(...others.filter((rate) => !Number.isNaN(rate)));
    const ratio = Number.isFinite(best) ? `${(rateOf(rounds[peers[0]?.name ?? '']) / best).toFixed(2)} ×` : '–';
    return [path, ...peers.map(({ name }) => cellOf(rounds[name])), ratio];
  });
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    '',
    'PEERS: a second (lowest–highest round); in brackets ms of processor each: application + engine + database',
    ...table,
  ].join('\n');
}

const rateOf = (rounds: readonly Driven[] = []): number =>
  rounds.length === 0 ? Number.NaN : median(rounds.map(({ perSecond }) => perSecond));

function cellOf(rounds: readonly Driven[] = []): string {
  if (rounds.length === 0) return '–';
  const rates = rounds.map(({ perSecond }) => perSecond);
  const ms = (part: keyof Driven['cpuMs']) => median(rounds.map(({ cpuMs }) => cpuMs[part])).toFixed(0);
  const spread = `${shown(Math.min(...rates))}–${shown(Math.max(...rates))}`;
  return `${shown(median(rates))} (${spread}) [${ms('application')} + ${ms('engine')} + ${ms('database')}]`;
}

const shown = (rate: number) => (rate < 20 ? rate.toFixed(1) : rate.toFixed(0));
