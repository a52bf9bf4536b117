import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { hangUp, refusal, send, staySilent, textIn, unknownPath, type SimulatedAnswer } from './service.ts';

/**
 * How the service answers: as documented; never; by hanging up; with a 500; with unreadable text; in another
 * currency; with an endless body; with another amount than asked for; or it acts and its answer is lost.
 */
export type CreditMood =
  | 'answers'
  | 'hangs'
  | 'drops'
  | 'fails'
  | 'babbles'
  | 'other_currency'
  | 'endless'
  | 'other_amount'
  | 'acts_and_drops';

/** A gift in the service's records: once per key. */
export interface SimulatedGift {
  key: string;
  transactionId: string;
  /** Decimal text. */
  amount: string;
  currency: string;
  account: string;
}

/** A spending in the service's records: once per key; an undone one is never spent again. */
export interface SimulatedSpending extends SimulatedGift {
  isUndone: boolean;
}

/** The records of a service of credit outside, and how it answers. */
export interface CreditRecords {
  /** Balances in units of 1/10 000, by gift card code or `customer-<id>`. */
  balances: Map<string, number>;
  /** The gifts it really gave, in order. */
  gifts: SimulatedGift[];
  /** The spendings it really took, or was told never to take, in order. */
  spendings: SimulatedSpending[];
  currency: string;
  mood: CreditMood;
  /** The requested paths, in order. */
  asked: string[];
}

export const creditRecords = (): CreditRecords => ({
  balances: new Map(),
  gifts: [],
  spendings: [],
  currency: 'USD',
  mood: 'answers',
  asked: [],
});

/** @param path below the service's address */
export function serveCredit(records: CreditRecords, context: Context, path: string): void {
  const { mood } = records;
  records.asked.push(path);
  if (mood === 'hangs') return staySilent(context);
  if (mood === 'endless') return pour(context);
  const { body } = context.request;
  const answer =
    mood === 'fails' ? { status: 500, body: {} } : mood === 'babbles' ? babble : answerTo(records, path, body);
  if (mood === 'drops' || mood === 'acts_and_drops') return hangUp(context);
  send(context, answer);
}

const babble = { status: 200, body: { hello: 'world', balance: 'NaN' } };

/** Sends data until the caller gives up. */
function pour(context: Context): void {
  staySilent(context);
  const response: ServerResponse = context.res;
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(16_384)));
    if (!response.destroyed) response.once('drain', more);
  };
  response.on('error', () => undefined);
  more();
}

const decimal = (units: number) => (units / 10_000).toFixed(4);

function answerTo(records: CreditRecords, path: string, body: unknown): SimulatedAnswer {
  const account = accountOf(body);
  const units = records.balances.get(account);
  if (path === '/v1/balances') {
    const rows = units === undefined ? [] : [rowOf(records, units)];
    return { status: 200, body: { balances: rows } };
  }
  if (path === '/v1/cards/find')
    return units === undefined
      ? refusal(404, 'unknown_card', 'There is no such card.')
      : { status: 200, body: { card: { ...rowOf(records, units), code: account } } };
  if (records.mood === 'drops') return refusal(500, 'dropped', '');
  if (path === '/v1/gifts') return give(records, account, body);
  if (path === '/v1/spendings') return spend(records, account, body);
  if (path === '/v1/spendings/undo') return undo(records, account, body);
  return unknownPath;
}

function rowOf({ mood, currency }: CreditRecords, units: number) {
  const code = mood === 'other_currency' ? 'ZZZ' : currency;
  return { balance: decimal(units), currency: code, is_redeemable: units > 0, expires_at: null };
}

function give(records: CreditRecords, account: string, body: unknown): SimulatedAnswer {
  const { gifts, balances } = records;
  const units = balances.get(account);
  if (units === undefined) return refusal(404, 'unknown_card', 'There is no such card.');
  const known = gifts.find(({ key }) => key === textIn(body, 'key'));
  const gift = known ?? movementOf(body, { account, transactionId: `gift_${gifts.length + 1}` });
  if (!known) {
    gifts.push(gift);
    balances.set(account, units + unitsOf(gift));
  }
  return describeBalances(records, 'credited', gift);
}

function spend(records: CreditRecords, account: string, body: unknown): SimulatedAnswer {
  const { spendings, balances } = records;
  const known = spendings.find(({ key }) => key === textIn(body, 'key'));
  if (known?.isUndone) return refusal(409, 'undone', 'This spending was undone.');
  if (known) return describeBalances(records, 'spent', known);
  const units = balances.get(account);
  if (units === undefined) return refusal(404, 'unknown_card', 'There is no such card.');
  const spending = movementOf(body, { account, transactionId: `spend_${spendings.length + 1}` });
  if (units < unitsOf(spending)) return refusal(409, 'insufficient_balance', 'There is not enough on it.');
  spendings.push({ ...spending, isUndone: false });
  balances.set(account, units - unitsOf(spending));
  return describeBalances(records, 'spent', spending);
}

/** A key that was never spent is recorded too: a spending that arrives later is refused. */
function undo({ spendings, balances }: CreditRecords, account: string, body: unknown): SimulatedAnswer {
  const key = textIn(body, 'key');
  const known = spendings.find((one) => one.key === key);
  if (!known) spendings.push({ ...movementOf(body, { account, transactionId: 'none' }), isUndone: true });
  else if (!known.isUndone) {
    known.isUndone = true;
    balances.set(known.account, (balances.get(known.account) ?? 0) + unitsOf(known));
  }
  return { status: 200, body: { status: 'undone', key } };
}

const movementOf = (body: unknown, own: Pick<SimulatedGift, 'account' | 'transactionId'>): SimulatedGift => ({
  key: textIn(body, 'key'),
  amount: textIn(body, 'amount'),
  currency: textIn(body, 'currency'),
  ...own,
});

const unitsOf = ({ amount }: SimulatedGift) => Math.round(Number(amount) * 10_000);

/** The true answer or, in some moods, another one. */
function describeBalances({ mood, balances }: CreditRecords, status: string, moved: SimulatedGift): SimulatedAnswer {
  const { key, transactionId, amount, currency, account } = moved;
  return {
    status: 200,
    body: {
      status,
      key,
      transaction_id: transactionId,
      amount: mood === 'other_amount' ? '999999.0000' : amount,
      currency: mood === 'other_currency' ? 'ZZZ' : currency,
      balance: decimal(balances.get(account) ?? 0),
    },
  };
}

/** A card by its code, otherwise a customer. */
const accountOf = (body: unknown) => textIn(body, 'code') || `customer-${numberIn(body, 'customer_id')}`;

function numberIn(body: unknown, key: string): number {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return Number(value);
}
