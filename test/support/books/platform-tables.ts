/** Of catalog, carts, inventory, customers and settings: the table, the column that says whose rows they are, their order. */
export const platformLists = {} as const;

/** The table of one record, and the column of its id. */
export const platformRecords = {
  theCustomer: ['customer', 'id'],
} as const;
