/**
 * Of orders, returns, refunds, credits and layaways: the table, the column that says whose rows they are, their order.
 */
export const salesLists = {
  // Of an order, by its id.
  linesOf: ['sales_order_item', 'order_id', 'item_id'],
  paymentsOf: ['sales_order_payment', 'order_id', 'entity_id'],
  memosOf: ['sales_creditmemo', 'order_id', 'entity_id'],
  invoicesOf: ['sales_invoice', 'order_id', 'entity_id'],
  moneyInOf: ['sales_money_in', 'order_id', 'money_in_id'],
  shipmentsOf: ['sales_shipment', 'order_id', 'entity_id'],
  transactionsOf: ['sales_payment_transaction', 'order_id', 'transaction_id'],
  promisesOf: ['inventory_reservation', 'order_id', 'reservation_id'],
  commentsOf: ['sales_order_status_history', 'parent_id', 'entity_id'],
  returnsOf: ['sale_return', 'order_id', 'return_id'],
  processesOf: ['return_process', 'order_id', 'process_id'],
  creditsOf: ['order_credit', 'order_id', 'credit_id'],
  creditRefundsOf: ['credit_refund', 'order_id', 'refund_id'],
  cancellationsOf: ['layaway_cancellation', 'order_id', 'order_id'],
  // Of a return, by its id.
  itemsOf: ['sale_return_item', 'return_id', 'entity_id'],
  attemptsOf: ['refund_attempt', 'return_id', 'attempt_id'],
  wordsOf: ['sale_return_comment', 'return_id', 'comment_id'],
  // Of a refund, by the id of its attempt.
  mailsOf: ['mail_outbox', 'attempt_id', 'mail_id'],
} as const;

/** The table of one record, and the column of its id. */
export const salesRecords = {
  theOrder: ['sales_order', 'entity_id'],
  theReturn: ['sale_return', 'return_id'],
  theAttempt: ['refund_attempt', 'attempt_id'],
  theReceipt: ['pos_receipt', 'receipt_id'],
  theMail: ['mail_outbox', 'mail_id'],
} as const;
