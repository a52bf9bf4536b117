import type { Amount } from '../../domain/money/amount.ts';
import type { RefundEvidence } from '../../domain/refunds/refund-attempt-state.ts';

/** What a gateway is asked to give back. */
export interface RefundRequest {
  /** The refund's intent: the same key again is the same refund. */
  idempotencyKey: string;
  /** What look-ups ask by: one per attempt. */
  merchantReference: string;
  /** The captured payment to give back from; null when the order kept none. */
  paymentReference: string | null;
  amount: Amount;
  currencyCode: string;
  /** What was captured in all, so that a gateway that never saw the payment can still cap. */
  capturedAmount: Amount;
  /** Absolute: nothing is sent, and nothing waited for, after it. */
  deadline: Date;
}

export interface GatewayAnswer {
  evidence: RefundEvidence;
  /** The gateway's own word, for people: `approved`, `declined`, `timeout` … */
  outcome: string;
  gatewayReference?: string;
  message?: string;
}

/**
 * A card processor (spec 3.3, 4.8). An implementation turns every answer it gets into evidence and never throws for
 * one: what it does not recognise is `unknown`, because an answer we lack is not an answer of no.
 */
export interface PaymentGateway {
  readonly code: string;
  /** False where the processor keeps nothing to ask for later: such attempts are resolved by hand. */
  readonly canLookUp: boolean;
  /** Whether "not refunded" from a look-up is final at once, or may still change while the processor settles. */
  readonly isLookUpDefinitive: boolean;
  refund(request: RefundRequest): Promise<GatewayAnswer>;
  lookUpRefund(merchantReference: string): Promise<GatewayAnswer>;
}

/** By the payment method of an order: who can give its money back. */
export interface PaymentGateways {
  /** Undefined for offline methods and unknown ones. */
  for(paymentMethod: string): PaymentGateway | undefined;
}
