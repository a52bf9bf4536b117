import { randomUUID } from 'node:crypto';
import { add, money, type Amount } from '../../../domain/money.ts';
import type { TellersAnswer } from '../../crash/teller.ts';
import type { Lane } from '../../crash/lane.ts';
import type { Chance } from '../random.ts';

/** What a person beside the register writes down about one order, from answers alone. Amounts in base currency. */
export interface Account {
  orderId: number;
  incrementId: string;
  itemId: number;
  customerId: number;
  /** How it was sold. */
  kind: string;
  grandTotal: number;
  rate: number;
  isByCard: boolean;
  /** Store credit that the order was placed with. */
  credit: Amount;
  /** Everything that was ever offered as payment: what was really taken is no more than this. */
  offered: Amount;
  /** What was handed out as store credit instead of money, by answers that said so. */
  issuedAsCredit: Amount;
  returns: number[];
  verbs: number;
  /** What was asked for, and what the answers said: told where something is wrong with the order. */
  story: string[];
}

/** One hand at a register: it presses again under the same key until an answer came. */
export interface Hand {
  lane: Lane;
  chance: Chance;
  /** A customer without an order. */
  strangerId: number;
  /** How many requests were pressed, and how many answers were yes. */
  counts: { presses: number; yes: number; no: number };
  /** Where its presses are written down. */
  story: string[];
  press(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<TellersAnswer>;
}

export function aHand(shared: Omit<Hand, 'press' | 'story'>): Hand {
  const { lane, chance, counts } = shared;
  const hand: Hand = {
    ...shared,
    story: [],
    async press(method, path, body) {
      const { story } = hand;
      counts.presses++;
      // One wish has one key: pressed again after a lost answer it must be the same wish.
      const headers = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
      const teller = chance.oneOf([lane.teller, ...lane.moreTellers]);
      const answer = await teller.press(method, path, body, headers, { unready: 40 });
      if (answer.status === 200) counts.yes++;
      else counts.no++;
      if (method !== 'GET') story.push(`${method} ${path} ${shortly(body)} → ${answer.status} ${shortly(answer.body)}`);
      return answer;
    },
  };
  return hand;
}

const shortly = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, 300);

export const offer = (account: Account, amount: number): void => {
  account.offered = add(account.offered, baseOf(account, amount));
};

/** Of an amount in the order's currency; a part of a cent is rounded up: it is an upper bound. */
export const baseOf = ({ rate }: Account, amount: number): Amount =>
  money((Math.ceil((amount / rate) * 100 - 1e-6) / 100).toFixed(2));
