import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

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

export interface CreditSimulator {
  url: string;
  /** Balances in units of 1/10 000, by gift card code or `customer-<id>`. */
  balances: Map<string, number>;
  /** What it really gave, in order. */
  gifts: SimulatedGift[];
  currency: string;
  mood: CreditMood;
  /** Paths that were asked for, in their order. */
  asked: string[];
  stop(): Promise<void>;
}

const longestBody = 16 * 1024;

/** Starts a credit service of its own on the loopback: its truth is the maps it shows. */
export async function startCreditSimulator({ port = 0 }: { port?: number } = {}): Promise<CreditSimulator> {
  const server = createServer((request, response) => void serve(simulator, request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const simulator: CreditSimulator = {
    url: urlOf(server),
    balances: new Map(),
    gifts: [],
    currency: 'USD',
    mood: 'answers',
    asked: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return simulator;
}

function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

async function serve(simulator: CreditSimulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  const body = await readBody(request);
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
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
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

interface Answer {
  status: number;
  body: unknown;
}

const no = (status: number, code: string, message: string): Answer => ({ status, body: { code, message } });
const decimal = (units: number) => (units / 10_000).toFixed(4);

function answerTo(simulator: CreditSimulator, path: string, body: Record<string, unknown>): Answer {
  const account = accountOf(body);
  const units = simulator.balances.get(account);
  if (path === '/v1/balances') {
    const rows = units === undefined ? [] : [rowOf(simulator, units)];
    return { status: 200, body: { balances: rows } };
  }
  if (path === '/v1/cards/find')
    return units === undefined
      ? no(404, 'unknown_card', 'There is no such card.')
      : { status: 200, body: { card: { ...rowOf(simulator, units), code: account } } };
  if (path === '/v1/gifts') return give(simulator, account, body);
  return no(404, 'unknown_path', 'There is no such path.');
}

function rowOf({ mood, currency }: CreditSimulator, units: number) {
  const told = mood === 'other_currency' ? 'ZZZ' : currency;
  return { balance: decimal(units), currency: told, is_redeemable: units > 0, expires_at: null };
}

function give(simulator: CreditSimulator, account: string, body: Record<string, unknown>): Answer {
  const { gifts, balances, mood } = simulator;
  if (mood === 'drops') return no(500, 'dropped', '');
  const units = balances.get(account);
  if (units === undefined) return no(404, 'unknown_card', 'There is no such card.');
  const known = gifts.find(({ key }) => key === body['key']);
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
const accountOf = (body: Record<string, unknown>) => textIn(body, 'code') || `customer-${String(body['customer_id'])}`;

function textIn(body: Record<string, unknown>, key: string): string {
  const value = body[key];
  return typeof value === 'string' ? value : '';
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > longestBody) return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
