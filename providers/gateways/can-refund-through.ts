import type { PaidOrder, PaymentGateways } from './payment-gateway.ts';

export interface TakenPayment extends PaidOrder {
  paymentReference: string | null;
}

/**
 * Whether the register can have this payment given back by a gateway; false for offline methods and for payments nobody
 * could follow. Asked before a transaction begins: nothing is read from outside while locks are held.
 *
 * @returns the answer, for a transaction that names the method it found under its lock
 */
export async function canRefundThrough(
  gateways: PaymentGateways,
  payment: TakenPayment,
): Promise<(paymentMethod: string) => boolean> {
  const gateway = await gateways.for(payment);
  const canTrack = gateway?.canTrack(payment.paymentReference) ?? false;
  return (paymentMethod) => canTrack && paymentMethod === payment.paymentMethod;
}
