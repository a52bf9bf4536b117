import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'koa';
import { formatAmount, minorDigits, type Amount } from '../../../domain/money.ts';

export const providerKeys = ['provider_a', 'provider_b', 'provider_c'] as const;
export type ProviderKey = (typeof providerKeys)[number];

/** A refund request to a processor, through either API. */
export interface RefundOrder {
  provider: ProviderKey;
  idempotencyKey: string;
  merchantReference: string;
  orderReference: string | null;
  paymentId: string | null;
  amount: Amount;
  currency: string;
  /** The captured total that the shop sends; the maximum for a payment unknown to this processor. */
  captured: Amount | null;
}

export interface Payment {
  id: string;
  provider: ProviderKey;
  amount: Amount;
  currency: string;
  reference: string;
  at: string;
}

/** One refund as it really happened, whatever was answered. */
export interface Refund extends RefundOrder {
  id: string;
  state: 'refunded' | 'declined';
  /** Why it was declined; null when it was not. */
  reason: Reason | null;
  outcome: Outcome;
  isKnownPayment: boolean;
  at: string;
  /** Every merchant reference that came with its idempotency key. */
  references: string[];
  lookUps: number;
}

export type Reason = 'refund_declined' | 'amount_exceeds_captured' | 'payment_unknown';

/** One call of a refund route, for the page and for counting. */
export interface Call {
  provider: ProviderKey;
  idempotencyKey: string;
  merchantReference: string;
  amount: Amount;
  currency: string;
  outcome: Outcome | 'repeated' | 'key_reused';
  manner: Manner;
  at: string;
}

/** How a processor protects against late and repeated calls. */
export interface Protection {
  keys: 'honoured' | 'ignored';
  cap: boolean;
}

export interface Modes extends Protection {
  /** For one of the processors only; the others as above. */
  only?: Partial<Record<ProviderKey, Protection>>;
  strict: boolean;
  silenceMs: number;
  slowMs: number;
}

export type Fact =
  | { fact: 'payment'; payment: Payment }
  | { fact: 'refund'; refund: Refund }
  | { fact: 'reference'; refundId: string; merchantReference: string }
  | { fact: 'look_up'; refundId: string }
  | { fact: 'call'; call: Call }
  | { fact: 'next'; outcomes: Outcome[] }
  | { fact: 'modes'; modes: Modes };

export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Sends an answer as the outcome says: properly, late, never, or as something unreadable. */
export async function deliver(
  context: Context,
  { manner, modes, reply }: { manner: Manner; modes: Modes; reply: Reply },
): Promise<void> {
  if (manner === 'slow') await wait(modes.slowMs, undefined, { ref: false });
  if (manner === 'silent') await untilHungUp(context, modes.silenceMs);
  switch (manner) {
    case 'prompt':
    case 'slow':
      if (reply.headers) context.set(reply.headers);
      Object.assign(context, { status: reply.status, body: reply.body });
      return;
    case 'dropped':
    case 'silent':
      context.respond = false;
      context.res.destroy();
      return;
    case 'error':
      Object.assign(context, { status: 500, type: 'html', body: '<h1>500 Internal Server Error</h1>' });
      return;
    case 'garbage':
      Object.assign(context, { status: 200, type: 'json', body: '{"status":"succ\u0000\u0007<!doctype html>' });
  }
}

/** Stays silent as long as the mode says, but only while the caller listens. */
async function untilHungUp(context: Context, silenceMs: number): Promise<void> {
  const hungUp = new AbortController();
  context.res.once('close', () => hungUp.abort());
  await wait(silenceMs, undefined, { ref: false, signal: hungUp.signal }).catch(() => undefined);
}

/** The outcomes of a refund. Tests, tools and the README depend on these names. */
export const outcomes = [
  'approved',
  'declined',
  'declined_answer_lost',
  'refunded_answer_lost',
  'timeout_after_acting',
  'timeout_without_acting',
  'error_after_acting',
  'garbage',
  'lookup_pending_then_refunded',
  'lookup_no_then_refunded',
  'lookup_unavailable',
  'slow_success',
] as const;
export type Outcome = (typeof outcomes)[number];

export interface CentsRow {
  /** Two digits: the cents of the amount that select this outcome. */
  cents: string;
  outcome: Outcome;
  description: string;
}

/** The tens give the kind: 5 refused, 6 the answer fails, 7 the look-up fails, 8 slow. All others are approved. */
export const centsTable: readonly CentsRow[] = [
  { cents: '00', outcome: 'approved', description: 'Refunded at once. So is every amount whose cents are not below.' },
  { cents: '51', outcome: 'declined', description: 'Refused, and the answer says so.' },
  { cents: '52', outcome: 'declined_answer_lost', description: 'Refused, but the connection drops before the answer.' },
  {
    cents: '61',
    outcome: 'refunded_answer_lost',
    description: 'Refunded, but the connection drops before the answer. A look-up says yes.',
  },
  {
    cents: '62',
    outcome: 'timeout_after_acting',
    description: 'Refunded, but no answer for 30 seconds. A look-up says yes.',
  },
  {
    cents: '63',
    outcome: 'timeout_without_acting',
    description: 'Nothing happens, and no answer for 30 seconds. A look-up knows nothing of it.',
  },
  { cents: '64', outcome: 'error_after_acting', description: 'Refunded, then answers 500. A look-up says yes.' },
  { cents: '65', outcome: 'garbage', description: 'Refunded, then answers what nobody can read. A look-up says yes.' },
  {
    cents: '71',
    outcome: 'lookup_pending_then_refunded',
    description: 'Refunded, the answer lost. The look-up says "in progress" twice, then yes.',
  },
  {
    cents: '72',
    outcome: 'lookup_no_then_refunded',
    description: 'Refunded, the answer lost. The first look-up says no, the next say yes.',
  },
  {
    cents: '73',
    outcome: 'lookup_unavailable',
    description: 'Refunded, the answer lost. Look-ups are never answered: somebody has to find out.',
  },
  { cents: '81', outcome: 'slow_success', description: 'Refunded, answered after three seconds.' },
];

/** The outcome that the cents of an amount select. In a currency without cents the last two digits count. */
export function outcomeOf({ amount, currency }: { amount: Amount; currency: string }): Outcome {
  const [whole = '', fraction = ''] = formatAmount(amount).split('.');
  const cents = minorDigits(currency) === 0 ? whole.slice(-2) : fraction.slice(0, 2);
  return centsTable.find((row) => row.cents === cents)?.outcome ?? 'approved';
}

/** How the answer to a refund is sent. */
export type Manner = 'prompt' | 'slow' | 'dropped' | 'silent' | 'error' | 'garbage';

/** What look-ups answer about a refund that did arrive. */
export type Memory = 'truth' | 'pending_twice' | 'no_once' | 'unavailable';

export interface Behaviour {
  /** `lost`: the call never reached the part that acts, so it is not recorded. */
  acts: 'refunds' | 'declines' | 'lost';
  manner: Manner;
  memory: Memory;
}

/** Every outcome is three independent facts: what is done, what is answered, what a look-up answers. */
export const behaviours: Record<Outcome, Behaviour> = {
  approved: { acts: 'refunds', manner: 'prompt', memory: 'truth' },
  declined: { acts: 'declines', manner: 'prompt', memory: 'truth' },
  declined_answer_lost: { acts: 'declines', manner: 'dropped', memory: 'truth' },
  refunded_answer_lost: { acts: 'refunds', manner: 'dropped', memory: 'truth' },
  timeout_after_acting: { acts: 'refunds', manner: 'silent', memory: 'truth' },
  timeout_without_acting: { acts: 'lost', manner: 'silent', memory: 'truth' },
  error_after_acting: { acts: 'refunds', manner: 'error', memory: 'truth' },
  garbage: { acts: 'refunds', manner: 'garbage', memory: 'truth' },
  lookup_pending_then_refunded: { acts: 'refunds', manner: 'dropped', memory: 'pending_twice' },
  lookup_no_then_refunded: { acts: 'refunds', manner: 'dropped', memory: 'no_once' },
  lookup_unavailable: { acts: 'refunds', manner: 'dropped', memory: 'unavailable' },
  slow_success: { acts: 'refunds', manner: 'slow', memory: 'truth' },
};
