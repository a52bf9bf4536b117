import type { Amount } from '../../domain/money/amount.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { Deadline } from '../deadline.ts';

/** A refund as we know it: one that the gateway tells of is ours only when all of this is. */
export interface AskedRefund {
  /** What look-ups ask by: one per attempt. */
  merchantReference: string;
  /** Of all attempts of the same intent: a gateway that sees the key again tells of the one that arrived. */
  ownReferences: readonly string[];
  /** The captured payment to give back from; null when the order kept none. */
  paymentReference: string | null;
  amount: Amount;
  currencyCode: string;
}

/** A refund on the gateway's own books, given or on its way. */
export interface KnownRefund {
  gatewayReference: string;
  merchantReference: string | null;
  /** As people read it: `20.00 USD`. */
  amountText: string;
}

/** What a gateway is asked to give back. */
export interface RefundRequest extends AskedRefund {
  /** The refund's intent: the same key again is the same refund. */
  idempotencyKey: string;
  /** The order's increment id, for people who read the gateway's portal. */
  orderReference: string;
  /** What was captured in all, so that a gateway that never saw the payment can still cap. */
  capturedAmount: Amount;
  /** Nothing is sent, and nothing waited for, after it. */
  deadline: Deadline;
}

/**
 * A card processor (spec 3.3, 4.8). An implementation turns every answer it gets into evidence and never throws for
 * one: what it does not recognise is `unknown`, because an answer we lack is not an answer of no.
 *
 * | What was seen                                                                      | Evidence                |
 * | ---------------------------------------------------------------------------------- | ----------------------- |
 * | a documented yes with the gateway's own reference                                  | `refunded`              |
 * | a documented no: declined, above what was captured, unknown payment, bad key       | `not_refunded`, final   |
 * | nothing left: refused connection, DNS, TLS, our own check, deadline over           | `not_refunded`, final   |
 * | 429 or 503 with the code the gateway documents for "not processed"                 | `not_refunded`, final   |
 * | a no, or a "not processed", that was kept for an earlier call with the same key    | `unknown`               |
 * | time-out, reset after bytes left, 5xx, redirect, unreadable, too long, no reference | `unknown`               |
 * | a yes or a no about a refund of another amount, currency, payment or reference      | `unknown`               |
 * | anything else                                                                      | `unknown`               |
 * | look-up: refunded, or declined on record                                           | `refunded`, final no    |
 * | look-up: knows of no such refund                                                   | `not_refunded`, not yet |
 * | look-up: in progress, unavailable, anything else                                   | `unknown`               |
 *
 * Of these only a documented no ends the intent, and its key with it (`endsIntent`).
 *
 * `callGateway` does the waiting and the broken connections, `findings.ts` has the words. A new gateway is done when
 * `test/providers/gateways/conformance.ts` says so.
 */
export interface PaymentGateway {
  readonly code: string;
  /** Which account at which address, as a digest that tells nothing else; absent where there is only one. */
  readonly account?: string;
  /** False where the processor keeps nothing to ask for later: such attempts are resolved by hand. */
  readonly canLookUp: boolean;
  /**
   * Whether a refund of this payment could be followed. What an order-based interface took has no payment of its own to
   * give back from: it is refunded from the admin, and no attempt is written (spec 4.8).
   */
  canTrack(paymentReference: string | null): boolean;
  /** Gives money back, once. `refunded` only with the gateway's own reference. */
  refund(request: RefundRequest): Promise<RefundFinding>;
  /**
   * Asks what was given back of a payment, whoever asked for it; absent where the processor cannot tell.
   *
   * @returns undefined: it did not say
   */
  refundsOf?(paymentReference: string): Promise<readonly KnownRefund[] | undefined>;
  /** Asks what became of an attempt; never moves money. */
  lookUpRefund(asked: AskedRefund): Promise<RefundFinding>;
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
