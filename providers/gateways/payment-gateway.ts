import type { Amount } from '../../domain/money.ts';
import { isOfflineMethod } from '../../domain/platform/credit-memos/memo-of-invoice.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { creditMemoOffline, refundNotAvailable } from '../../domain/refusals/money.ts';
import type { Deadline } from '../deadline.ts';

/** A refund as we know it: a refund that the gateway describes is ours only when all of this matches. */
export interface RequestedRefund {
  /** The reference for look-ups: one per attempt. */
  merchantReference: string;
  /**
   * The references of all attempts of the same intent: a gateway that gets the key again describes the attempt that
   * arrived.
   */
  ownReferences: readonly string[];
  /** The captured payment to refund; null when the order kept none. */
  paymentReference: string | null;
  amount: Amount;
  currencyCode: string;
}

/** A refund in the gateway's own books, done or pending. */
export interface KnownRefund {
  gatewayReference: string;
  merchantReference: string | null;
  /** As text for people: `20.00 USD`. */
  amountText: string;
}

/** What a gateway is asked to refund. */
export interface RefundRequest extends RequestedRefund {
  /** The refund's intent: the same key again is the same refund. */
  idempotencyKey: string;
  /** The order's increment id, for people who use the gateway's portal. */
  orderReference: string;
  /** The total captured amount, so that a gateway without the payment can still check the maximum. */
  capturedAmount: Amount;
  /** After it nothing is sent, and no answer is awaited. */
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
  /** A digest of account and address that reveals nothing else; absent where there is only one account. */
  readonly account?: string;
  /** False where the processor keeps no records to ask for: such attempts are resolved by hand. */
  readonly canLookUp: boolean;
  /**
   * Whether a refund of this payment can be tracked. A payment taken by an order-based interface has no transaction
   * to refund: it is refunded from the admin, and no attempt is written (spec 4.8).
   */
  canTrack(paymentReference: string | null): boolean;
  /** Refunds money, once. `refunded` only with the gateway's own reference. */
  refund(request: RefundRequest): Promise<RefundFinding>;
  /**
   * Asks for all refunds of a payment, also those that others requested; absent where the processor cannot answer that.
   *
   * @returns undefined: no usable answer
   */
  refundsOf?(paymentReference: string): Promise<readonly KnownRefund[] | undefined>;
  /** Asks for the outcome of an attempt; never moves money. */
  lookUpRefund(query: RequestedRefund): Promise<RefundFinding>;
}

/** The fields of an order that decide which gateway can refund it. */
export interface PaidOrder {
  paymentMethod: string;
  storeId: number;
}

/** What is known of a gateway without asking it: all that a process may know that calls none. */
export type GatewayFacts = Pick<PaymentGateway, 'canLookUp' | 'canTrack'>;

/** Finds what is known of the gateway of an order, whether its address is set here or not. */
export interface FactsOfGateways {
  /** Undefined for offline and unknown methods. */
  for(order: PaidOrder): Promise<GatewayFacts | undefined>;
}

/** Finds the gateway that can refund an order. */
export interface PaymentGateways {
  /** Undefined for offline and unknown methods. */
  for(order: PaidOrder): Promise<PaymentGateway | undefined>;
}

export interface TakenPayment extends PaidOrder {
  paymentReference: string | null;
  /** The payments of a layaway, each with its own reference; absent: it is no layaway. */
  captures?: readonly { method: string; reference: string }[];
}

/**
 * Whether a gateway can give this payment back; false for offline methods and for payments that cannot be tracked.
 * Call it before the transaction: no outside read happens while locks are held.
 *
 * @returns the answer, for a transaction that names the method it found under its lock
 */
export async function canRefundThrough(
  gateways: FactsOfGateways,
  payment: TakenPayment,
): Promise<(paymentMethod: string) => boolean> {
  const isOwn = refundsBy(await gateways.for(payment), payment);
  const tracked: string[] = [];
  for (const { method, reference } of payment.captures ?? []) {
    if (tracked.includes(method)) continue;
    const gateway = await gateways.for({ paymentMethod: method, storeId: payment.storeId });
    if (gateway?.canTrack(reference) === true) tracked.push(method);
  }
  return (paymentMethod) => isOwn(paymentMethod) || tracked.includes(paymentMethod);
}

/** The same from facts alone, for a process that calls no gateway: a preview. */
export const refundableBy = (
  facts: FactsOfGateways,
  payment: TakenPayment,
): Promise<(paymentMethod: string) => boolean> => canRefundThrough(facts, payment);

/** The same for whoever has the payment's gateway already; undefined: there is none. */
export function refundsBy(
  gateway: GatewayFacts | undefined,
  payment: TakenPayment,
): (paymentMethod: string) => boolean {
  const canTrack = gateway?.canTrack(payment.paymentReference) ?? false;
  return (paymentMethod) => canTrack && paymentMethod === payment.paymentMethod;
}

/**
 * Refused in the platform's words (platform facts 2.4) when only a refund by hand is possible.
 *
 * @param gateway what is known of the payment's gateway; undefined: there is none
 */
export function refuseUnrefundable(gateway: GatewayFacts | undefined, payment: TakenPayment): void {
  // Without a gateway, an offline method is refunded by hand; any other is refused with the message for its invoice.
  if (gateway === undefined && !isOfflineMethod(payment.paymentMethod)) throw refundNotAvailable();
  if (gateway !== undefined && !gateway.canTrack(payment.paymentReference)) throw creditMemoOffline();
}
