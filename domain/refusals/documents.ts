/** What orders, invoices, shipments and credit memos are refused with. */
import { refusal } from './refusal.ts';

export const stateChangeNotValid = refusal(400, 'Invalid state change requested', {
  when: '`customer.id` is not the caller.',
});

export const creditMemoExists = refusal(400, 'We cannot register an existing credit memo.');

export const creditMemoNotCancellable = refusal(400, 'You can not cancel Credit Memo', { when: 'Always.' });

export const voidNotAvailable = refusal(400, 'The void action is not available.', {
  when: 'Always.',
  then: 'Cancel an open invoice by `POST /V1/invoices` with `state` 3, or refund a paid one.',
});

export const orderEmailNotOneAddress = refusal(
  400,
  'The e-mail address of the order is not one address, so no mail was sent.',
  {
    when: 'The order was placed with two addresses, a line break, or something else as its e-mail.',
    then: 'Save the order with one address, then send this again.',
  },
);

export const captureNotAvailable = refusal(400, 'The capture action is not available.', {
  when: 'It is paid or cancelled.',
});

export const invoiceExists = refusal(400, 'We cannot register an existing invoice', {
  when: 'The invoice is there, and is sent with another order, with other goods, or as open or paid after its cancel.',
  then: 'Leave `entity_id` out: a new invoice takes what is left.',
});

export const uniqueConstraintViolated = refusal(400, 'Unique constraint violation found');

export const holdNotAvailable = refusal(400, 'A hold action is not available.', {
  when: 'It is held already, or over.',
});

export const holdNotRemovable = refusal(400, 'You cannot remove the hold.', { when: 'It is not held.' });

export const trackingNotSaved = refusal(400, 'Could not save the shipment tracking.', {
  when: 'The shipment belongs to another order, or the parcel has no number.',
});

export const shippingRefundTooHigh = refusal(400, 'Maximum shipping amount allowed to refund is: %1');

export const noShippingToRefund = refusal(400, 'You can not refund shipping if there is no shipping amount.', {
  when: 'Shipping of an order that had none.',
});

export const refundQuantityNotValid = refusal(400, 'We found an invalid quantity to refund item "%1".');

export const moneyToRefundTooHigh = refusal(400, 'The most money available to refund is %1.', {
  when: 'The grand total is more than was paid and not given back yet. What refunds under way promised is not there.',
  then: 'Read the order again and refund less.',
});

export const cancelledOrderStays = refusal(400, 'A cancelled order cannot be opened again. Place a new one.', {
  when: 'A change would move the order out of `canceled`.',
});

export const stateNotSavable = refusal(400, 'An order in state "%1" cannot be saved in state "%2".', {
  when:
    'The state follows from payments, invoices, shipments or credit memos that are missing, or the order is closed, ' +
    'on hold, or a layaway that is not settled.',
  then: 'Use the verb that leads there: invoice, ship, refund, unhold, or the payment of the layaway.',
});

export const statusOfAnotherState = refusal(400, 'An order in state "%1" cannot be saved with status "%2".', {
  when: 'The status says that the order is cancelled or closed, and it is not.',
  then: 'Cancel it by `POST /V1/orders/{id}/cancel`, or refund it.',
});

export const cancelsByLayaway = refusal(
  400,
  'The order is a layaway. Cancel it by POST /V1/pos/layaways/%1/cancel, which gives the deposit back.',
  { when: 'A save would cancel a layaway.' },
);

export const cancelsNothing = refusal(400, 'Nothing of the order is left to cancel.', {
  when: 'A save would cancel an order that is invoiced in full, on hold, under review or over.',
  then: 'Cancel its open invoice, end the hold, or refund it.',
});

export const cancelsOnlyAPart = refusal(
  400,
  'A part of the order was invoiced. POST /V1/orders/%1/cancel cancels the rest of it.',
  { when: 'A save would cancel an order of which something invoiced can still be refunded.' },
);

export const layawayTermsStay = refusal(400, 'The %fieldName of a layaway follows from its payments.', {
  when: 'A save would change the deposit or the payment method of a layaway.',
});

export const invoiceQuantityNotValid = refusal(400, 'We found an invalid quantity to invoice item "%1".', {
  when: 'More of a line than is left.',
});

export const orderIsOver = refusal(400, 'An order in state "%1" is over: it takes no more money.', {
  when: 'The order is cancelled or closed.',
});

export const layawayStillOwes = refusal(
  400,
  'The layaway still owes %1. Take its payments first: its invoice is paid when nothing is owed.',
  { when: 'Payments are missing.', then: 'Take them by `POST /V1/pos/layaways/{orderId}/payments`.' },
);
