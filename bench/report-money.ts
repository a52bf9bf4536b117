import { columns } from '../cli/support.ts';
import type { LayawaysMeasured } from './measure-layaways.ts';
import type { Crowd, SettlesMeasured } from './measure-settles.ts';
import type { TransactionMeasured } from './measure-transactions.ts';
import { median, spread, verdict } from './support.ts';

/** Transactions alone, beside the same statements without our code. */
export function reportTransactions(measured: readonly TransactionMeasured[]): string {
  const rows = measured.map(({ name, statements, rounds, atLeast, perSecond }) => {
    const ratios = rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond);
    const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
    const pace = middle(({ ours }) => ours.perSecond);
    const bare = middle(({ bare: alone }) => alone.perSecond);
    const requested = [
      ...(atLeast === undefined ? [] : [`≥ ${atLeast} ${verdict(median(ratios) >= atLeast)}`]),
      ...(perSecond === undefined
        ? []
        : [`≥ ${perSecond}/s ${verdict(pace >= perSecond)}; bare ${Math.round(bare)}/s`]),
    ];
    const cpu = `${middle(({ ours }) => ours.cpuMs).toFixed(2)} / ${middle(({ bare: alone }) => alone.cpuMs).toFixed(2)}`;
    const paces = [`${Math.round(pace)}/s`, `${Math.round(bare)}/s`];
    return [name, ...paces, spread(ratios), requested.join(', ') || 'none set', cpu, String(statements)];
  });
  return `\n${columns([['TRANSACTION, 8 CLIENTS', 'OURS', 'BARE', 'RATIO (spread)', 'TARGET', 'CPU ms', 'STATEMENTS'], ...rows])}`;
}

const mostOfPlainUpdate = 1.2;
const mostGrowth = 1.5;
const mostWorkerMb = 350;

/** Changes of documents with a workflow, beside a workflow with one empty step. */
export function reportSettles({ settles, captures, openReturns }: SettlesMeasured): string {
  const row = (name: string, crowd: Crowd, requested: string) => [
    name,
    String(crowd.clients),
    `${crowd.perSecond.toFixed(0)}/s`,
    `${crowd.p50Ms.toFixed(0)} ms`,
    `${crowd.p95Ms.toFixed(0)} ms`,
    `${crowd.plainPerSecond.toFixed(0)}/s (${crowd.plainP50Ms.toFixed(0)} ms)`,
    (crowd.p50Ms / crowd.plainP50Ms).toFixed(2),
    requested,
  ];
  const one = (crowd: Crowd) => (crowd.clients === 1 ? `≤ ${mostOfPlainUpdate} + its transaction` : 'none set');
  const { count, before, after, workerMbBefore, workerMbAfter } = openReturns;
  const growth = after.p50Ms / after.plainP50Ms / (before.p50Ms / before.plainP50Ms);
  const memory = `worker ${workerMbBefore} → ${workerMbAfter} MB (≤ ${mostWorkerMb} ${verdict(workerMbAfter <= mostWorkerMb)})`;
  const head = ['CHANGE', 'CLIENTS', 'OURS', 'p50', 'p95', 'ONE EMPTY STEP', 'RATIO OF p50', 'TARGET'];
  return `\n${columns([
    head,
    ...settles.map((crowd) => row('settle in cash', crowd, 'none set')),
    ...captures.map((crowd) => row('layaway capture', crowd, one(crowd))),
    row('settle, few returns open', before, ''),
    row(
      `settle, ${count} returns open`,
      after,
      `growth ${growth.toFixed(2)} (≤ ${mostGrowth} ${verdict(growth <= mostGrowth)})`,
    ),
  ])}\nWith ${count} return workflows opened: ${memory}`;
}

/** The cost of a layaway's payment and of the hourly job while open layaways grow. */
export function reportLayaways({ sizes, costs }: LayawaysMeasured): string {
  const rows = costs.map(({ name, ms }) => {
    const growth = (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN);
    return [
      name,
      ...ms.map((one) => `${one.toFixed(2)} ms`),
      growth.toFixed(2),
      `≤ ${mostGrowth} ${verdict(growth <= mostGrowth)}`,
    ];
  });
  return `\n${columns([['OPEN LAYAWAYS', ...sizes.map((size) => `AT ${size}`), 'GROWTH', 'TARGET'], ...rows])}`;
}

/** A hundred requests that must write nothing. */
export const reportWal = (name: string, bytes: number): string =>
  `${name}: ${bytes} bytes in the write-ahead log after 100 requests (target 0, ${verdict(bytes === 0)})`;
