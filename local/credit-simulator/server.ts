import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  readJson,
  refusal,
  sendJson,
  serveSimulator,
  textIn,
  unknownPath,
  type SimulatedAnswer,
  type SimulatedServer,
} from '../service-simulator.ts';

/**
 * How the service answers: as documented; not at all; by hanging up; with a 500; with something nobody can read; in
 * another currency; with an endless body; with another amount than it was asked for; or it acts and its answer is lost.
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

/** A gift as the service keeps it: once per key. */
export interface SimulatedGift {
  key: string;
  transactionId: string;
  /** Decimal text. */
  amount: string;
  currency: string;
  account: string;
}

export interface CreditSimulator extends SimulatedServer {
  /** Balances in units of 1/10 000, by gift card code or `customer-<id>`. */
  balances: Map<string, number>;
  /** What it really gave, in order. */
  gifts: SimulatedGift[];
  currency: string;
  mood: CreditMood;
  /** Paths that were asked for, in their order. */
  asked: string[];
}

/** Starts a credit service of its own on the loopback: its truth is the maps it shows. */
export async function startCreditSimulator({ port = 0 }: { port?: number } = {}): Promise<CreditSimulator> {
  const server = await serveSimulator(port, (request, response) => serve(simulator, request, response));
  const simulator: CreditSimulator = {
    ...server,
    balances: new Map(),
    gifts: [],
    currency: 'USD',
    mood: 'answers',
    asked: [],
  };
  return simulator;
}

async function serve(simulator: CreditSimulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  const body = await readJson(request);
  const { mood } = simulator;
  simulator.asked.push(path);
  if (mood === 'hangs') return;
  if (mood === 'endless') return pour(response);
  const answer =
    mood === 'fails' ? { status: 500, body: {} } : mood === 'babbles' ? babble : answerTo(simulator, path, body);
  if (mood === 'drops' || mood === 'acts_and_drops') {
    request.socket.destroy();
    return;
  }
  sendJson(response, answer);
}

const babble = { status: 200, body: { hello: 'world', balance: 'NaN' } };

/** Until whoever asked has had enough. */
function pour(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(16_384)));
    if (!response.destroyed) response.once('drain', more);
  };
  response.on('error', () => undefined);
  more();
}

const decimal = (units: number) => (units / 10_000).toFixed(4);

function answerTo(simulator: CreditSimulator, path: string, body: unknown): SimulatedAnswer {
  const account = accountOf(body);
  const units = simulator.balances.get(account);
  if (path === '/v1/balances') {
    const rows = units === undefined ? [] : [rowOf(simulator, units)];
    return { status: 200, body: { balances: rows } };
  }
  if (path === '/v1/cards/find')
    return units === undefined
      ? refusal(404, 'unknown_card', 'There is no such card.')
      : { status: 200, body: { card: { ...rowOf(simulator, units), code: account } } };
  if (path === '/v1/gifts') return give(simulator, account, body);
  return unknownPath;
}

function rowOf({ mood, currency }: CreditSimulator, units: number) {
  const told = mood === 'other_currency' ? 'ZZZ' : currency;
  return { balance: decimal(units), currency: told, is_redeemable: units > 0, expires_at: null };
}

function give(simulator: CreditSimulator, account: string, body: unknown): SimulatedAnswer {
  const { gifts, balances, mood } = simulator;
  if (mood === 'drops') return refusal(500, 'dropped', '');
  const units = balances.get(account);
  if (units === undefined) return refusal(404, 'unknown_card', 'There is no such card.');
  const known = gifts.find(({ key }) => key === textIn(body, 'key'));
  const gift = known ?? {
    key: textIn(body, 'key'),
    transactionId: `gift_${gifts.length + 1}`,
    amount: textIn(body, 'amount'),
    currency: textIn(body, 'currency'),
    account,
  };
  if (!known) {
    gifts.push(gift);
    balances.set(account, units + Math.round(Number(gift.amount) * 10_000));
  }
  const { key, transactionId, amount, currency } = gift;
  const told = mood === 'other_amount' ? '999999.0000' : amount;
  return {
    status: 200,
    body: {
      status: 'credited',
      key,
      transaction_id: transactionId,
      amount: told,
      currency: mood === 'other_currency' ? 'ZZZ' : currency,
      balance: decimal(balances.get(account) ?? 0),
    },
  };
}

/** A card by its code; else a customer. */
const accountOf = (body: unknown) => textIn(body, 'code') || `customer-${numberIn(body, 'customer_id')}`;

function numberIn(body: unknown, key: string): number {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return Number(value);
}
