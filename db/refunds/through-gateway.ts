/** How a transaction may give money back through the original gateway. */
export interface ThroughGateway {
  /** Whether a gateway can refund this payment method. */
  canRefundThrough: (paymentMethod: string) => boolean;
}
