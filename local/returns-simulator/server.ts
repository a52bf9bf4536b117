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
 * How the service answers a return: as documented; a definite no; `not_attempted` before it wrote anything; never,
 * having written it or not; by hanging up after it wrote it; with unreadable text, having written it.
 */
export type ReturnsMood =
  | 'answers'
  | 'refuses'
  | 'passes'
  | 'hangs'
  | 'hangs_after_writing'
  | 'drops_after_writing'
  | 'babbles';

export interface ReturnsSimulator extends SimulatedServer {
  mood: ReturnsMood;
  /** Its records, by idempotency key. */
  returns: Map<string, { returnNumber: string; order: string }>;
  /** Its objections, by order item id; 0: the order. */
  objections: Map<number, string>;
  /** The requested paths, in order. */
  asked: string[];
}

/** Starts a separate returns service on the loopback. */
export async function startReturnsSimulator({ port = 0 }: { port?: number } = {}): Promise<ReturnsSimulator> {
  const server = await serveSimulator(port, (request, response) => serve(simulator, request, response));
  const simulator: ReturnsSimulator = {
    ...server,
    mood: 'answers',
    returns: new Map(),
    objections: new Map(),
    asked: [],
  };
  return simulator;
}

async function serve(simulator: ReturnsSimulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  simulator.asked.push(path);
  const body = await readJson(request);
  const send = (answer: SimulatedAnswer) => sendJson(response, answer);
  if (path === '/v1/options') return send(options);
  if (path === '/v1/eligibility') return send(verdict(simulator));
  if (path !== '/v1/returns') return send(unknownPath);
  switch (simulator.mood) {
    case 'refuses':
      return send(refusal(422, 'refused', 'The warehouse does not take this product.'));
    case 'passes':
      return send(refusal(409, 'not_attempted', 'The warehouse is closed today.'));
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
      return send({ status: 200, body: { hello: 'world' } });
    case 'answers':
      return send(write(simulator, request, body));
  }
}

const options: SimulatedAnswer = {
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

const verdict = ({ objections }: ReturnsSimulator): SimulatedAnswer => ({
  status: 200,
  body: {
    order: objections.get(0) ?? null,
    lines: [...objections].filter(([id]) => id !== 0).map(([id, reason]) => ({ order_item_id: id, reason })),
  },
});

/** The same key is the same return. */
function write({ returns }: ReturnsSimulator, request: IncomingMessage, body: unknown): SimulatedAnswer {
  const key = String(request.headers['idempotency-key'] ?? '');
  const known = returns.get(key);
  const named = textIn(body, 'return_number');
  const stored = known ?? {
    returnNumber: named || `WR-${String(returns.size + 1).padStart(5, '0')}`,
    order: textIn(body, 'order'),
  };
  returns.set(key, stored);
  return { status: known ? 200 : 201, body: { return_number: stored.returnNumber, restock_here: false } };
}
