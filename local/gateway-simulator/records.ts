import type { Amount } from '../../domain/money/amount.ts';
import type { Manner } from './behaviours.ts';
import type { Outcome } from './cents.ts';

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
