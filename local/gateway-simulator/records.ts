import type { Amount } from '../../domain/money/amount.ts';
import type { Manner } from './behaviours.ts';
import type { Outcome } from './cents.ts';

export const providerKeys = ['provider_a', 'provider_b', 'provider_c'] as const;
export type ProviderKey = (typeof providerKeys)[number];

/** What a processor is asked to do, whichever of the two APIs it came through. */
export interface RefundOrder {
  provider: ProviderKey;
  idempotencyKey: string;
  merchantReference: string;
  orderReference: string | null;
  paymentId: string | null;
  amount: Amount;
  currency: string;
  /** What the shop says was captured in all; caps a payment this processor never saw. */
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

/** One refund as it really is, whatever was answered. */
export interface Refund extends RefundOrder {
  id: string;
  state: 'refunded' | 'declined';
  /** Why it was declined; null when it was not. */
  reason: Reason | null;
  outcome: Outcome;
  isKnownPayment: boolean;
  at: string;
  /** Every merchant reference its idempotency key came with. */
  references: string[];
  lookUps: number;
}

export type Reason = 'refund_declined' | 'amount_exceeds_captured' | 'payment_unknown';

/** One call of a refund route, for the page and for counting calls. */
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

/** How far a processor protects from a call that comes late or twice. */
export interface Protection {
  keys: 'honoured' | 'ignored';
  cap: boolean;
}

export interface Modes extends Protection {
  /** For one of the processors only; the rest are as above. */
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
