import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '../cli/support.ts';
import { migrate } from '../db/migrate.ts';
import { createOrm } from '../db/orm.ts';
import { startPostgres } from '../local/postgres.ts';
import { toolOptions } from '../local/tool-options.ts';
import { compare, type Compared } from './compare.ts';
import { startFlowStage, startServer } from './flow-stage.ts';
import { measureLists, type ListMeasured } from './lists.ts';
import { measureEvents, reportEvents } from './measure-events.ts';
import { measureFeeds, type FeedsMeasured } from './measure-feeds.ts';
import { measureLayaways } from './measure-layaways.ts';
import { measureObserve, reportObserve } from './measure-observe.ts';
import { measureOps } from './measure-ops.ts';
import { measureOrderLists } from './measure-order-lists.ts';
import { measurePdfs, type PdfsMeasured } from './measure-pdfs.ts';
import { measureReturns } from './measure-returns.ts';
import { measureSettles } from './measure-settles.ts';
import { measureShopLists } from './measure-shop-lists.ts';
import { measureSignIn, type LoopDelay, type SignInRound } from './measure-sign-in.ts';
import { measureTransactions } from './measure-transactions.ts';
import { layawayCount, makeLayaways, makeWallets } from './money-shop.ts';
import { measurePeers, reportPeers } from './peers/measure-peers.ts';
import { scratch, startProcess } from './processes.ts';
import { recordStatements } from './record-statements.ts';
import { reportLayaways, reportSettles, reportTransactions, reportWal } from './report-money.ts';
import { reportMemory, reportPaths, reportReturns } from './report.ts';
import { allScenarios, applicableCredit } from './scenarios/index.ts';
import { customerPrices, fewOrders, opsPages, validateCustomer } from './scenarios/ops-pages.ts';
import { shippedFlags } from './shipped-flags.ts';
import { makeShop, productCount } from './shop.ts';
import { median, residentMemory, verdict } from './support.ts';

const times = (own: number, bare: number) => (own / bare).toFixed(2);

/** Feeds and insights, each beside its baseline. */
const reportFeeds = ({ reindex, feed, insights }: FeedsMeasured): string =>
  [
    '',
    '| Feeds and insights | ours | bare | times |',
    '|---|---|---|---|',
    `| full reindex, ${reindex.rows} prices, rows a second | ${reindex.perSecond} | ${reindex.barePerSecond} | ${times(reindex.barePerSecond, reindex.perSecond)} |`,
    `| price feed of ${feed.rows} rows, ms | ${feed.ms.toFixed(0)} | ${feed.bareMs.toFixed(0)} | ${times(feed.ms, feed.bareMs)} |`,
    `| insights of ${insights.orders} orders, ms | ${insights.ms.toFixed(1)} | ${insights.bareMs.toFixed(1)} | ${times(insights.ms, insights.bareMs)} |`,
    `The API grew by ${feed.grownMiB.toFixed(0)} MiB while it sent the feed.`,
  ].join('\n');

const mostOfCompare = 1.05;
/** The longest permitted delay of other routes while eight sign in. */
const mostLate = { p99Ms: 10, mostMs: 50, ofPlain: 0.07 };

function reportSignIn(rounds: readonly SignInRound[]): string {
  const middle = (of: (round: SignInRound) => number) => median(rounds.map(of));
  const ratio = middle(({ apiMs, plainMs }) => apiMs / plainMs);
  const lateness = (of: (round: SignInRound) => LoopDelay) =>
    `${middle((round) => of(round).p99Ms).toFixed(0)} / ${middle((round) => of(round).mostMs).toFixed(0)} ms`;
  const share = middle(({ apiLoop, plainLoop }) => apiLoop.mostMs / plainLoop.mostMs);
  return `\n${columns([
    [
      'SIGN-IN',
      'API',
      'COMPARE ALONE',
      'RATIO',
      'TARGET',
      'LOOP LATE, 8 AT ONCE (p99 / most)',
      'ON THE LOOP',
      'SHARE',
      'TARGET',
    ],
    [
      'staff authenticate',
      `${middle(({ apiMs }) => apiMs).toFixed(1)} ms`,
      `${middle(({ plainMs }) => plainMs).toFixed(1)} ms`,
      ratio.toFixed(2),
      `≤ ${mostOfCompare} ${verdict(ratio <= mostOfCompare)}`,
      `${lateness(({ apiLoop }) => apiLoop)} (≤ ${mostLate.p99Ms} / ${mostLate.mostMs})`,
      lateness(({ plainLoop }) => plainLoop),
      share.toFixed(2),
      `≤ ${mostLate.ofPlain} ${verdict(share <= mostLate.ofPlain)}`,
    ],
  ])}`;
}

const mostGrowth = 1.5;

/** The cost of a list while the trail grows, in time and in blocks; on a busy machine only the blocks are reliable. */
function reportLists(what: string, lists: readonly ListMeasured[], sizes: readonly [number, number]): string {
  const head = [what, ...sizes.map((size) => `AT ${size}`), 'GROWTH', 'BLOCKS', 'GROWTH', 'MATCHES', 'TARGET'];
  const rows = lists.map(({ name, ms, blocks, matches }) => [
    name,
    ...ms.map((one) => `${one.toFixed(1)} ms`),
    (ms[1] / ms[0]).toFixed(2),
    blocks.join(' → '),
    (blocks[1] / blocks[0]).toFixed(2),
    matches.join(' → '),
    `≤ ${mostGrowth} ${verdict(ms[1] / ms[0] <= mostGrowth)}`,
  ]);
  return `\n${columns([head, ...rows])}`;
}

const mostOfBare = 1.2;

/** A receipt's PDF beside the bare one: the median, and the slowest of twenty. */
function reportPdfs(measured: readonly PdfsMeasured[]): string {
  const rows = measured.map(({ atOnce, ms, bareMs }) => {
    const late = slowest(ms) / slowest(bareMs);
    return [
      `receipt PDF, ${atOnce} at once`,
      `${median(ms).toFixed(0)} / ${slowest(ms).toFixed(0)} ms`,
      `${median(bareMs).toFixed(0)} / ${slowest(bareMs).toFixed(0)} ms`,
      (median(ms) / median(bareMs)).toFixed(2),
      late.toFixed(2),
      `≤ ${mostOfBare} at p95 ${late <= mostOfBare ? 'met' : 'MISSED'}`,
    ];
  });
  return `\n${columns([['PDF', 'OURS (p50 / p95)', 'BARE PAGE.PDF()', 'RATIO p50', 'p95', 'TARGET'], ...rows])}`;
}

/** One of twenty takes longer. */
const slowest = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

/**
 * Measures each hot path beside its own baseline, alternating in one run, and prints ratios. Absolute figures depend
 * on the machine and are only informative; nothing here asserts them.
 */
const options = toolOptions({
  command: 'npm run bench --',
  about: 'Measures each hot path beside its own baseline, in one run, and prints ratios.',
  options: {
    rounds: { type: 'string', default: '5', isNumber: true, says: 'how often each path is measured' },
    seconds: { type: 'string', default: '4', isNumber: true, says: 'how long each time' },
    orders: { type: 'string', default: '100000', isNumber: true, says: 'orders that lists have' },
    'shop-rows': { type: 'string', default: '100000', isNumber: true, says: 'goods, customers and others in lists' },
    'shop-rows-before': { type: 'string', default: '1000', isNumber: true, says: 'the same, at first' },
    'audit-lines': { type: 'string', default: '1000000', isNumber: true, says: 'lines of the audit trail' },
    'open-returns': { type: 'string', default: '1000', isNumber: true, says: 'open returns beside the settles' },
    'open-layaways': { type: 'string', default: '10000', isNumber: true, says: 'open layaways, at most' },
    products: { type: 'string', default: '20000', isNumber: true, says: 'products whose prices are worked out' },
    only: { type: 'string', default: '', says: 'paths whose name contains this' },
    peers: {
      type: 'boolean',
      default: false,
      says: 'ours beside Medusa and Vendure instead, installed on the first run',
    },
    'peer-orders': { type: 'string', default: '1700', isNumber: true, says: 'sales that each of them begins with' },
    'cpu-prof': { type: 'boolean', default: false, says: 'write CPU profiles of API and worker' },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const isRequested = ({ name }: { name: string }) => name.includes(options.only);
const scenarios = allScenarios.filter(isRequested);
const measuresReturns = isRequested({ name: 'return create to closed' });
const measuresSettles = isRequested({ name: 'settles and captures' });
const measuresTransactions = isRequested({ name: 'money transactions' });
const measuresLayaways = isRequested({ name: 'open layaways' });
const measuresSignIn = isRequested({ name: 'sign-in' });
const measuresObserve = isRequested({ name: 'observing a request' });
const measuresFeeds = isRequested({ name: 'feeds and insights' });
const measuresEvents = isRequested({ name: 'a sale with its events' });
const measuresPdfs = isRequested({ name: 'receipt PDF' });
const measuresLists = isRequested({ name: 'audit list' });
const measuresOrderLists = isRequested({ name: 'order lists' });
const measuresOps = isRequested({ name: 'ops lists' });
const measuresShopLists = isRequested({ name: 'shop lists' });
const say = (line: string) => process.stderr.write(`${line}\n`);

// A requested end runs the hooks that stop the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (!options['cpu-prof']) process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

if (options.peers) {
  const size = { products: productCount, customers: 200, orders: Number(options['peer-orders']) };
  console.log(reportPeers(await measurePeers({ rounds, seconds, only: options.only, size, say })));
  process.exit(0);
}

const postgres = await startPostgres({ durable: true });
const running: { stop(): Promise<void> }[] = [postgres];
try {
  const databaseUrl = postgres.url('postgres');
  say('Making a shop …');
  await migrate(databaseUrl);
  const orm = await createOrm(databaseUrl);
  const token = await makeShop(orm.em.fork());
  // Only for measurements that use them: other runs start without.
  const asksCustomers = [applicableCredit, validateCustomer, customerPrices].some((one) => scenarios.includes(one));
  if (measuresTransactions || asksCustomers) await makeWallets(orm.em.fork());
  if (measuresTransactions || measuresSettles || measuresLayaways) {
    await makeLayaways(orm.em.fork(), 0, layawayCount);
  }

  say('Writing down the statements of each path …');
  const recordings = await recordStatements(scenarios, {
    databaseUrl,
    token,
    execute: (sql) => orm.em.fork().execute(sql),
  });
  const recordingsFile = join(scratch, 'recordings.json');
  writeFileSync(recordingsFile, JSON.stringify({ recordings }));

  const flagsOf = (script: 'api' | 'worker') => {
    const profile = options['cpu-prof'] ? `--cpu-prof --cpu-prof-dir=${scratch}` : '';
    const nodeOptions = `${shippedFlags(script)} ${profile}`.trim();
    return nodeOptions === '' ? {} : { nodeOptions };
  };
  const stage =
    measuresReturns || measuresSettles ? await startFlowStage({ databaseUrl, say, ...flagsOf('worker') }) : undefined;
  if (stage) running.unshift(stage);
  // The operator's pages look whether Temporal is there. A worker would answer their doubts.
  const asksTemporal = measuresOps || scenarios.some((one) => opsPages.includes(one));
  const server = asksTemporal && !stage ? await startServer(say) : undefined;
  if (server) running.unshift(server);
  const api = await startProcess({
    name: 'api',
    file: 'dist/api/main.js',
    environment: {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: stage?.temporal ?? server?.address ?? '127.0.0.1:9',
      ...(stage ? { GATEWAY_SIMULATOR_URL: stage.gateway } : {}),
    },
    readyPath: '/health/live',
    ...flagsOf('api'),
  });
  running.unshift(api);
  const plain = await startProcess({
    name: 'baseline',
    file: 'bench/baseline.ts',
    environment: { DATABASE_URL: databaseUrl, BENCH_RECORDINGS: recordingsFile },
    readyPath: '/health',
  });
  running.unshift(plain);

  const compared: Compared[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const statements = recordings[index]?.recorded.length ?? 0;
    for (const load of scenario.loads) {
      compared.push(await compare({ scenario, index, load, rounds, seconds, token, api, plain, statements, say }));
    }
  }
  const signIns = measuresSignIn ? await measureSignIn({ databaseUrl, token, rounds, say }) : undefined;
  const observed = measuresObserve ? await measureObserve({ databaseUrl, token, rounds, say }) : undefined;
  const sizes = [100_000, Number(options['audit-lines'])] as const;
  const lists = measuresLists ? await measureLists({ em: orm.em.fork(), api, token, rounds, sizes, say }) : undefined;
  const orderSizes = [1_000, Number(options.orders)] as const;
  const orderLists = measuresOrderLists
    ? await measureOrderLists({ em: orm.em.fork(), api, token, rounds, sizes: orderSizes, say })
    : undefined;
  // The orders of the two are the same: one run measures one of them.
  const opsSizes = [fewOrders, Number(options.orders)] as const;
  const opsLists =
    measuresOps && !orderLists
      ? await measureOps({ em: orm.em.fork(), api, token, rounds, sizes: opsSizes, say })
      : undefined;
  const shopSizes = [Number(options['shop-rows-before']), Number(options['shop-rows'])] as const;
  const shopLists = measuresShopLists
    ? await measureShopLists({ em: orm.em.fork(), api, token, rounds, sizes: shopSizes, say })
    : undefined;
  const products = Number(options.products);
  const feeds = measuresFeeds
    ? await measureFeeds({ em: orm.em.fork(), api, token, rounds, products, say })
    : undefined;
  const returns =
    stage && measuresReturns
      ? await measureReturns({ stage, api, token, postgresPid: postgres.pid, rounds, say })
      : undefined;
  const events = measuresEvents
    ? await measureEvents({ em: orm.em.fork(), api, token, postgresPid: postgres.pid, rounds, say })
    : undefined;
  const em = orm.em.fork();
  const openReturns = Number(options['open-returns']);
  const settles =
    stage && measuresSettles ? await measureSettles({ stage, api, token, em, rounds, openReturns, say }) : undefined;
  const transactions = measuresTransactions
    ? await measureTransactions({ orm, databaseUrl, rounds, seconds, say })
    : undefined;
  const most = Number(options['open-layaways']);
  const layaways = measuresLayaways ? await measureLayaways({ orm, rounds, most, say }) : undefined;
  const pdfs = measuresPdfs ? await measurePdfs({ orm, rounds, say }) : undefined;
  await orm.close();

  if (compared.length > 0) console.log(reportPaths(compared));
  if (signIns) console.log(reportSignIn(signIns));
  if (observed) console.log(reportObserve(observed));
  if (feeds) console.log(reportFeeds(feeds));
  if (pdfs) console.log(reportPdfs(pdfs));
  if (events) console.log(reportEvents(events));
  if (lists) console.log(reportLists('AUDIT LIST', lists, sizes));
  if (orderLists) console.log(reportLists('ORDER LIST', orderLists, orderSizes));
  if (opsLists) console.log(reportLists('OPERATOR’S PAGE', opsLists, opsSizes));
  if (shopLists) console.log(reportLists('SHOP LIST', shopLists, shopSizes));
  for (const [index, { walBytes }] of recordings.entries())
    if (walBytes !== undefined) console.log(reportWal(scenarios[index]?.name ?? '', walBytes));
  if (returns) console.log(reportReturns(returns));
  if (settles) console.log(reportSettles(settles));
  if (transactions) console.log(reportTransactions(transactions));
  if (layaways) console.log(reportLayaways(layaways));
  console.log(`\n${reportMemory('the API', residentMemory(api.pid), 200)}`);
  if (stage) console.log(reportMemory('the worker', residentMemory(stage.worker.pid), 350));
  if (options['cpu-prof']) say(`CPU profiles are in ${scratch}.`);
} finally {
  for (const one of running) await one.stop().catch(() => undefined);
}
