/**
 * How much a receipt shows of each list, whatever a register wrote: a page, a mail and a PDF are made of all of it, for
 * anybody who has the link. What is beyond is not shown.
 */
export const receiptLimits = {
  /** Of one line. */
  options: 20,
  /** Of a split payment. */
  payments: 50,
  credits: 50,
  taxes: 30,
  /** Of each kind: sent on, and sent on later. */
  shipments: 20,
  /** Of one shipment. */
  shippedItems: 100,
  /** Of one shipment; its street as well. */
  addressLines: 10,
} as const;
