import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Customer } from '../platform/customers/customer.entity.ts';
import { Website } from '../platform/stores/store.entity.ts';
import { amountColumn } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';

/**
 * How much a customer may owe the shop on a website, in its base currency (spec 2.18). No row: no limit of the
 * customer's own.
 */
export const CreditLimit = defineEntity({
  name: 'CreditLimit',
  tableName: 'customer_credit_limit',
  properties: {
    customerId: () => p.manyToOne(Customer).mapToPk().primary().fieldName('customer_id').deleteRule('cascade'),
    websiteId: () => p.manyToOne(Website).mapToPk().primary().fieldName('website_id').deleteRule('cascade'),
    creditLimit: amountColumn(),
    ...timestamps,
  },
  checks: [{ name: 'customer_credit_limit_not_negative', expression: `credit_limit >= 0 and credit_limit <> 'NaN'` }],
});
export type CreditLimit = InferEntity<typeof CreditLimit>;
