/**
 * Of catalog, carts, inventory, customers and settings: the table, the column that says whose rows they are, their
 * order.
 */
export const platformLists = {
  addressesOf: ['sales_order_address', 'order_id', 'entity_id'],
  versionsOf: ['content_version', 'content_id', 'number'],
  operationsOf: ['bulk_operation', 'bulk_id', 'operation_key'],
} as const;

/** The table of one record, and the column of its id. */
export const platformRecords = {
  theCustomer: ['customer', 'id'],
  theInvoice: ['sales_invoice', 'entity_id'],
  theShipment: ['sales_shipment', 'entity_id'],
  theTerminal: ['pos_terminal', 'terminal_id'],
} as const;
