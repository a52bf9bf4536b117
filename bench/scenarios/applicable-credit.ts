import { customerOf } from '../money-shop.ts';
import type { Scenario } from '../scenario.ts';

/** What a cart of twelve lines may spend of its customer's store credit. */
export const applicableCredit: Scenario = {
  name: 'credits applicable',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  // The first reader of a row writes hint bits and visibility; that is not caused by this read.
  prepare: async ({ execute }) => void (await execute('vacuum analyze')),
  readsOnly: true,
  request: (customerId) => ({
    method: 'POST',
    path: '/V1/pos/credits/applicable',
    body: {
      credit_type: 'store_credit',
      customer_id: customerId,
      store_id: 1,
      subtotal: 120,
      subtotal_incl_tax: 129.6,
      tax_amount: 9.6,
      grand_total: 129.6,
      lines: Array.from({ length: 12 }, (_, line) => ({
        sku: `SKU-0000${line}`,
        qty: 1,
        row_total: 10,
        row_total_incl_tax: 10.8,
      })),
    },
  }),
  subjectOf: customerOf,
};
