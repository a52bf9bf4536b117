import type { Context } from 'koa';
import { hangUp, refusal, send, staySilent, textIn, unknownPath, type SimulatedAnswer } from './service.ts';

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

/** The records of a returns department outside, and how it answers. */
export interface ReturnsRecords {
  mood: ReturnsMood;
  /** Its records, by idempotency key. */
  returns: Map<string, { returnNumber: string; order: string }>;
  /** Its objections, by order item id; 0: the order. */
  objections: Map<number, string>;
  /** The requested paths, in order. */
  asked: string[];
}

export const returnsRecords = (): ReturnsRecords => ({
  mood: 'answers',
  returns: new Map(),
  objections: new Map(),
  asked: [],
});

/** @param path below the service's address */
export function serveReturns(records: ReturnsRecords, context: Context, path: string): void {
  records.asked.push(path);
  if (path === '/v1/options') return send(context, options);
  if (path === '/v1/eligibility') return send(context, verdict(records));
  if (path !== '/v1/returns') return send(context, unknownPath);
  switch (records.mood) {
    case 'refuses':
      return send(context, refusal(422, 'refused', 'The warehouse does not take this product.'));
    case 'passes':
      return send(context, refusal(409, 'not_attempted', 'The warehouse is closed today.'));
    case 'hangs':
      return staySilent(context);
    case 'hangs_after_writing':
      write(records, context);
      return staySilent(context);
    case 'drops_after_writing':
      write(records, context);
      return hangUp(context);
    case 'babbles':
      write(records, context);
      return send(context, { status: 200, body: { hello: 'world' } });
    case 'answers':
      return send(context, write(records, context));
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

const verdict = ({ objections }: ReturnsRecords): SimulatedAnswer => ({
  status: 200,
  body: {
    order: objections.get(0) ?? null,
    lines: [...objections].filter(([id]) => id !== 0).map(([id, reason]) => ({ order_item_id: id, reason })),
  },
});

/** The same key is the same return. */
function write({ returns }: ReturnsRecords, context: Context): SimulatedAnswer {
  const key = context.get('idempotency-key');
  const { body } = context.request;
  const known = returns.get(key);
  const named = textIn(body, 'return_number');
  const stored = known ?? {
    returnNumber: named || `WR-${String(returns.size + 1).padStart(5, '0')}`,
    order: textIn(body, 'order'),
  };
  returns.set(key, stored);
  return { status: known ? 200 : 201, body: { return_number: stored.returnNumber, restock_here: false } };
}
