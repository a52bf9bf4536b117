import { invalid } from '../../domain/errors.ts';
import { isOfflineMethod } from '../../domain/platform/invoice-refund.ts';
import type { GatewayFacts, PaidOrder, PaymentGateway, PaymentGateways } from './payment-gateway.ts';

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
  gateways: PaymentGateways,
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

/** The same for whoever has the payment's gateway already; undefined: there is none. */
export function refundsBy(
  gateway: PaymentGateway | undefined,
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
  if (gateway === undefined && !isOfflineMethod(payment.paymentMethod))
    throw invalid('The refund action is not available.');
  if (gateway !== undefined && !gateway.canTrack(payment.paymentReference))
    throw invalid('If the invoice was created offline, try creating an offline credit memo.');
}
