import type { MikroORM } from '@mikro-orm/postgresql';
import { capturePayment, flagStaleBatch } from '../db/layaways/capture-payment.ts';
import { findFinishedLately, findUnfollowed } from '../db/layaways/find-unfollowed.ts';
import { money } from '../domain/money.ts';
import { layawayCount, layawayOf, makeLayaways } from './money-shop.ts';
import { median } from './support.ts';

export interface LayawaysInput {
  orm: MikroORM;
  rounds: number;
  /** The final number of open layaways. */
  most: number;
  say: (line: string) => void;
}

export interface LayawaysMeasured {
  sizes: number[];
  /** Median of each step at each size. */
  costs: { name: string; ms: number[] }[];
}

const timesEachRound = 20;
const page = { after: 0, limit: 500 };
let key = 0;

const steps = [
  {
    name: 'capture, its transaction',
    work: (orm: MikroORM) =>
      capturePayment(orm.em, {
        orderId: layawayOf(key),
        amount: money('0.01'),
        paymentMethod: 'cash',
        reference: null,
        beginBefore: 'infinity',
        operationKey: `grown-${key++}`,
      }),
  },
  { name: 'hourly job: flag what is overdue', work: (orm: MikroORM) => flagStaleBatch(orm.em.fork(), page) },
  { name: 'hourly job: find what nobody follows', work: (orm: MikroORM) => findUnfollowed(orm.em.fork(), page) },
  { name: 'hourly job: find what ended lately', work: (orm: MikroORM) => findFinishedLately(orm.em.fork(), page) },
] as const;

/** A payment and the hourly job without overdue layaways, with ten times as many open layaways, and again. */
export async function measureLayaways({ orm, rounds, most, say }: LayawaysInput): Promise<LayawaysMeasured> {
  const sizes = [layawayCount];
  for (let size = layawayCount * 10; size <= most; size *= 10) sizes.push(size);
  const costs = steps.map(({ name }) => ({ name, ms: [] as number[] }));
  for (const [at, size] of sizes.entries()) {
    say(`With ${size} open layaways …`);
    if (at > 0) await makeLayaways(orm.em.fork(), sizes[at - 1] ?? 0, size);
    for (const [index, { work }] of steps.entries()) costs[index]?.ms.push(await timeOf(() => work(orm), rounds));
  }
  return { sizes, costs };
}

async function timeOf(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n <= rounds * timesEachRound; n++) {
    const start = performance.now();
    await work();
    if (n > 0) times.push(performance.now() - start);
  }
  return median(times);
}
