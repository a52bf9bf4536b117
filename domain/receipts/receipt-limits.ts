/**
 * How much of each list a receipt shows, whatever a register sent. A page, a mail and a PDF are made of it for anyone
 * with the link. Anything beyond is not shown.
 */
export const receiptLimits = {
  /** Of one line. */
  options: 20,
  /** Of a split payment. */
  payments: 50,
  credits: 50,
  taxes: 30,
  /** Of each kind: shipments now, and shipments later. */
  shipments: 20,
  /** Of one shipment. */
  shippedItems: 100,
  /** Of one shipment; also the limit of its street lines. */
  addressLines: 10,
} as const;
