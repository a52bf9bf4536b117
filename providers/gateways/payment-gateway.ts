import type { Amount } from '../../domain/money/amount.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';

/** What a gateway is asked to give back. */
export interface RefundRequest {
  /** The refund's intent: the same key again is the same refund. */
  idempotencyKey: string;
  /** What look-ups ask by: one per attempt. */
  merchantReference: string;
  /** The order's increment id, for people who read the gateway's portal. */
  orderReference: string;
  /** The captured payment to give back from; null when the order kept none. */
  paymentReference: string | null;
  amount: Amount;
  currencyCode: string;
  /** What was captured in all, so that a gateway that never saw the payment can still cap. */
  capturedAmount: Amount;
  /** Absolute: nothing is sent, and nothing waited for, after it. */
  deadline: Date;
}

/**
 * A card processor (spec 3.3, 4.8). An implementation turns every answer it gets into evidence and never throws for
 * one: what it does not recognise is `unknown`, because an answer we lack is not an answer of no.
 */
export interface PaymentGateway {
  readonly code: string;
  /** False where the processor keeps nothing to ask for later: such attempts are resolved by hand. */
  readonly canLookUp: boolean;
  /** Gives money back, once. `refunded` only with the gateway's own reference. */
  refund(request: RefundRequest): Promise<RefundFinding>;
  /** Asks what became of an attempt; never moves money. */
  lookUpRefund(merchantReference: string): Promise<RefundFinding>;
}

/** What of an order decides who can give its money back. */
export interface PaidOrder {
  paymentMethod: string;
  storeId: number;
}

/** Who can give an order's money back. */
export interface PaymentGateways {
  /** Undefined for offline methods and unknown ones. */
  for(order: PaidOrder): Promise<PaymentGateway | undefined>;
}
