import type { EntityManager } from '@mikro-orm/postgresql';
import { explainOrder } from '../books/explain/explain-order.ts';
import { countSavedMemos, openCases } from '../books/verify/verify.ts';
import { lastChecks } from '../db/ops/books-checks.ts';
import { countQuestions, decidedLately, openDoubts, openRefundCases } from '../db/ops/doubts.ts';
import { findMoney } from '../db/ops/find-money.ts';
import { findDayDifferences, joinDay } from '../db/movements/join-day.ts';
import { creditIssuedOn, paidByDay, paymentsOn } from '../db/movements/read-day.ts';
import { whatWaits } from '../db/ops/read-day.ts';
import {
  allStaff,
  allTills,
  oldestReturns,
  overdueLayaways,
  receiptsWithoutOrder,
  returnSeen,
  stuckMails,
  telemetryByDay,
} from '../db/ops/read-lists.ts';
import { dateAfter } from '../domain/local-day.ts';
import { grownOrder, placedAtOf } from './grow-orders.ts';
import type { ListMeasured, ListsInput } from './lists.ts';
import { growOpsShop, opsCookie, opsPaths } from './scenarios/ops-pages.ts';
import { send } from './send.ts';
import { countBlocks, median } from './support.ts';

const seen = { locationIds: null, most: 50 } as const;

/** The payments and credit of a day, as the page Today reads them. */
export const readDay = async (em: EntityManager, day: string) => [
  await paymentsOn(em, { ...seen, day }),
  await creditIssuedOn(em, { ...seen, day }),
];

/** The sales of a day and its documents to check. They are read from orders and receipts. */
export const readDayJoin = async (em: EntityManager, day: string) => [
  await joinDay(em, { ...seen, day }),
  await findDayDifferences(em, { ...seen, day }),
];

/** What each page reads; `rows` of it are the matches. */
const reads: Readonly<Record<string, (em: EntityManager, size: number) => Promise<readonly unknown[][]>>> = {
  Doubts: (em) => Promise.all([openDoubts(em, seen), openRefundCases(em, seen), decidedLately(em, seen)]),
  Returns: async (em) => [await oldestReturns(em, { ...seen, most: 100 })],
  'a return': async (em) => [[await returnSeen(em, { ...seen, returnId: grownOrder(-970) })]],
  'the story of an order': async (em) => [[await explainOrder(em, `order-${grownOrder(70)}`)]],
  'a story by e-mail': async (em) => [await findMoney(em, { ...seen, given: 'list7@bench.example' })],
  async Today(em, size) {
    const to = placedAtOf(size).toISOString().slice(0, 10);
    await whatWaits(em, seen);
    const day = dateAfter(to, -1);
    return [
      ...(await readDay(em, day)),
      ...(await readDayJoin(em, day)),
      await paidByDay(em, { ...seen, from: dateAfter(to, -6), to }),
    ];
  },
  Tills: async (em) => [await allTills(em, 200), await telemetryByDay(em, new Date().toISOString().slice(0, 10))],
  Staff: async (em) => [await allStaff(em, 200)],
  Mails: async (em) => [await stuckMails(em, 200)],
  'Receipts without an order': async (em) => [await receiptsWithoutOrder(em, 200)],
  Layaways: async (em) => [await overdueLayaways(em, { ...seen, most: 200 })],
  async Books(em) {
    await countSavedMemos(em);
    return [await openCases(em), await lastChecks(em, 14)];
  },
};

const requestsEachRound = 5;

/** The operator's pages at two numbers of orders: blocks that the database reads, and the time of the whole page. */
export async function measureOps(input: ListsInput): Promise<ListMeasured[]> {
  const { em, sizes, say } = input;
  const measured = new Map<string, ListMeasured>();
  for (const [at, size] of sizes.entries()) {
    say(`Writing ${size} orders with their receipts, returns and mails …`);
    await growOpsShop((sql) => em.execute(sql), size, say);
    for (const [name, path] of Object.entries(opsPaths(size))) {
      const one = measured.get(name) ?? { name, ms: [0, 0], blocks: [0, 0], matches: [0, 0] };
      const { blocks, result } = await countBlocks(em, async (counting) => {
        await countQuestions(counting, seen);
        return reads[name]?.(counting, size) ?? [];
      });
      [one.ms[at], one.blocks[at], one.matches[at]] = [await msOf(input, path), blocks, result.flat().length];
      measured.set(name, one);
    }
  }
  return [...measured.values()];
}

/** The first request warms up. */
async function msOf({ api, token, rounds }: ListsInput, path: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < rounds * requestsEachRound + 1; n++) {
    const start = performance.now();
    await send(api.url, token, { method: 'GET', path, isOutside: true, headers: opsCookie });
    if (n > 0) times.push(performance.now() - start);
  }
  return median(times);
}
