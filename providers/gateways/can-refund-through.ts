import type { PaidOrder, PaymentGateway, PaymentGateways } from './payment-gateway.ts';

export interface TakenPayment extends PaidOrder {
  paymentReference: string | null;
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
  return refundsBy(await gateways.for(payment), payment);
}

/** The same for whoever has the payment's gateway already; undefined: there is none. */
export function refundsBy(
  gateway: PaymentGateway | undefined,
  payment: TakenPayment,
): (paymentMethod: string) => boolean {
  const canTrack = gateway?.canTrack(payment.paymentReference) ?? false;
  return (paymentMethod) => canTrack && paymentMethod === payment.paymentMethod;
}
