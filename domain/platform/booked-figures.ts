/** Figures that documents write: invoices, shipments, credit memos, cancellations (platform facts 5.2, 5.4, 6, 7.5). */

const booked =
  /(?:Invoiced|Refunded|Canceled|Captured|InvoicedCost|Returned)$|^(?:base)?[aA]djustment(?:Positive|Negative)$|^qtyShipped$/;

/**
 * Whether only a document may change this figure of an order, a line or a payment.
 *
 * Our choice: the stock platform lets a save overwrite them, and then the order contradicts its documents.
 */
export const isBooked = (property: string) => booked.test(property);

/** The first figure a save would overwrite with another value; undefined when it changes none. */
export const firstOverwritten = (stored: object, sent: object): [string, unknown] | undefined =>
  Object.entries(sent).find(
    ([name, value]) => isBooked(name) && value !== undefined && Reflect.get(stored, name) !== value,
  );
