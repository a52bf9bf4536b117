import { setTimeout as pause } from 'node:timers/promises';
import type { KeptProcess } from '../../crash/kept-process.ts';
import type { Lane } from '../../crash/lane.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { calmGateway } from '../calm-gateway.ts';
import { evening } from '../evening.ts';
import { findWrong } from '../find-wrong.ts';
import { chanceOf, type Chance } from '../random.ts';
import { aHand, type Account, type Hand } from './account.ts';
import { moneyFaults } from './read-books.ts';
import { sell } from './sell.ts';
import { verbNames, verbs } from './verbs.ts';

export interface Crossfire {
  lane: Lane;
  seed: number;
  /** Verbs in all. */
  operations: number;
  hands: number;
  deaths: number;
  say?: (line: string) => void;
}

export interface CrossfireReport {
  operations: number;
  presses: number;
  yes: number;
  no: number;
  orders: number;
  deaths: number;
  wrong: string[];
}

/** So many orders are reached for at once, and so often each, before a new one takes its place. */
const ordersAtOnce = 12;
const verbsOfAnOrder = 25;
const booksEvery = 1_000;

/**
 * Every verb of an order, in any order, from several hands at once, while the processes die. Now and then everything
 * rests, questions are answered truthfully, and the money of each order is counted by arithmetic of its own.
 */
export async function crossfire(fire: Crossfire): Promise<CrossfireReport> {
  const { lane, seed, operations, say } = fire;
  await calmGateway(lane, { slow_ms: 100, silence_ms: 500 });
  const counts = { presses: 0, yes: 0, no: 0 };
  const strangerId = await aCustomer(lane.orm.em.fork());
  const accounts: Account[] = [];
  const wrong: string[] = [];
  let done = 0;
  let deaths = 0;
  while (done < operations && wrong.length === 0) {
    const round = Math.min(booksEvery, operations - done);
    deaths += await shoot({ ...fire, seed: seed + done, operations: round }, { accounts, counts, strangerId });
    done += round;
    await evening(lane);
    for (const account of accounts) wrong.push(...(await moneyFaults(lane, account)));
    wrong.push(...(await findWrong(lane)));
    for (const { incrementId, kind, story } of accounts.filter((one) =>
      wrong.some((line) => line.includes(one.incrementId)),
    ))
      say?.(`What was asked of ${kind} order ${incrementId}:\n    ${story.join('\n    ')}`);
    say?.(`${done} verbs on ${accounts.length} orders, ${deaths} deaths, ${wrong.length} wrong`);
  }
  return { operations: done, ...counts, orders: accounts.length, deaths, wrong };
}

async function shoot(
  { lane, seed, operations, hands, deaths: most }: Crossfire,
  { accounts, ...shared }: Pick<Hand, 'counts' | 'strangerId'> & { accounts: Account[] },
): Promise<number> {
  const open: Account[] = [];
  let left = operations;
  let isOver = false;
  const shooter = async (hand: Hand) => {
    while (left-- > 0) {
      const account = await reach(hand, open, accounts);
      hand.story = account.story;
      await verbs[hand.chance.oneOf(verbNames as [string, ...string[]])]?.(hand, account);
    }
  };
  const dying = trouble(lane, { chance: chanceOf(seed + 9_999), most, isOver: () => isOver });
  await Promise.all(
    Array.from({ length: hands }, (_, index) => shooter(aHand({ lane, chance: chanceOf(seed + index), ...shared }))),
  );
  isOver = true;
  return dying;
}

async function reach(hand: Hand, open: Account[], accounts: Account[]): Promise<Account> {
  const known = open[hand.chance.below(ordersAtOnce)];
  const account = known && known.verbs < verbsOfAnOrder ? known : await sell(hand);
  if (account !== known) {
    if (known) open.splice(open.indexOf(known), 1);
    open.push(account);
    accounts.push(account);
  }
  account.verbs++;
  return account;
}

/** Any of the processes dies every few seconds. @returns how often one did */
async function trouble(
  lane: Lane,
  { chance, most, isOver }: { chance: Chance; most: number; isOver: () => boolean },
): Promise<number> {
  const all: [KeptProcess, ...KeptProcess[]] = [lane.processes.api, lane.processes.worker, ...lane.moreProcesses];
  for (let death = 0; death < most; death++) {
    await pause(1_500 + chance.below(4_000));
    if (isOver()) return death;
    chance.oneOf(all).kill();
  }
  return most;
}
