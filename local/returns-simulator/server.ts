import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * How the service answers a return: as documented; a definite no; `not_attempted` before it wrote anything; not at all,
 * having written it or not; by hanging up after it wrote it; with something nobody can read, having written it.
 */
export type ReturnsMood =
  | 'answers'
  | 'refuses'
  | 'passes'
  | 'hangs'
  | 'hangs_after_writing'
  | 'drops_after_writing'
  | 'babbles';

export interface ReturnsSimulator {
  url: string;
  mood: ReturnsMood;
  /** What it keeps, by idempotency key: its truth. */
  returns: Map<string, { returnNumber: string; order: string }>;
  /** What it says no to, by order item id; 0: the order. */
  objections: Map<number, string>;
  /** Paths that were asked for, in their order. */
  asked: string[];
  stop(): Promise<void>;
}

const longestBody = 256 * 1024;

/** Starts a returns department of its own on the loopback. */
export async function startReturnsSimulator({ port = 0 }: { port?: number } = {}): Promise<ReturnsSimulator> {
  const server = createServer((request, response) => void serve(simulator, request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const simulator: ReturnsSimulator = {
    url: urlOf(server),
    mood: 'answers',
    returns: new Map(),
    objections: new Map(),
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

async function serve(simulator: ReturnsSimulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  simulator.asked.push(path);
  const body = await readBody(request);
  const send = ({ status, body: answer }: Answer) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  if (path === '/v1/options') return void send(options);
  if (path === '/v1/eligibility') return void send(verdict(simulator));
  if (path !== '/v1/returns') return void send(no(404, 'unknown_path', 'There is no such path.'));
  switch (simulator.mood) {
    case 'refuses':
      return void send(no(422, 'refused', 'The warehouse does not take this product.'));
    case 'passes':
      return void send(no(409, 'not_attempted', 'The warehouse is closed today.'));
    case 'hangs':
      return;
    case 'hangs_after_writing':
      write(simulator, request, body);
      return;
    case 'drops_after_writing':
      write(simulator, request, body);
      request.socket.destroy();
      return;
    case 'babbles':
      write(simulator, request, body);
      return void send({ status: 200, body: { hello: 'world' } });
    case 'answers':
      return void send(write(simulator, request, body));
  }
}

interface Answer {
  status: number;
  body: unknown;
}

const no = (status: number, code: string, message: string): Answer => ({ status, body: { code, message } });

const options: Answer = {
  status: 200,
  body: {
    reasons: [{ id: 'W1', label: 'Does not fit' }],
    conditions: [{ id: 'N', label: 'As new' }],
    resolutions: [
      { id: 'R', label: 'Refund', behavior: 'refund', is_store_credit: false },
      { id: 'S', label: 'Store Credit', behavior: 'refund', is_store_credit: true },
      { id: 'X', label: 'Exchange', behavior: 'exchange' },
      { id: 'P', label: 'Repair', behavior: 'unsupported' },
    ],
  },
};

const verdict = ({ objections }: ReturnsSimulator): Answer => ({
  status: 200,
  body: {
    order: objections.get(0) ?? null,
    lines: [...objections].filter(([id]) => id !== 0).map(([id, reason]) => ({ order_item_id: id, reason })),
  },
});

/** The same key again is the same return. */
function write({ returns }: ReturnsSimulator, request: IncomingMessage, body: unknown): Answer {
  const key = String(request.headers['idempotency-key'] ?? '');
  const known = returns.get(key);
  const named = textIn(body, 'return_number');
  const kept = known ?? {
    returnNumber: named || `WR-${String(returns.size + 1).padStart(5, '0')}`,
    order: textIn(body, 'order'),
  };
  returns.set(key, kept);
  return { status: known ? 200 : 201, body: { return_number: kept.returnNumber, restock_here: false } };
}

function textIn(body: unknown, key: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof value === 'string' ? value : '';
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > longestBody) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
