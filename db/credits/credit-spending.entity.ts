import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { creditKinds } from '../../domain/credits/applied-credit.ts';
import { nameTailColumn } from '../installation/outside-name.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amountColumn } from '../support/columns.ts';
import { timestamps } from '../support/timestamps.ts';

export const creditSpendingStates = ['reserved', 'spent', 'failed', 'returning', 'returned'] as const;

/**
 * Credit of an outside provider that pays for an order (spec 4.6). The row is written before the provider is asked,
 * and before the order exists. The provider knows it by `credit-spending-<id>-<name tail>`.
 *
 * `reserved`: the provider may have taken it. `spent`: the provider confirmed; one saved order claims it by its id.
 * `failed`: the provider refused. `returning`: the order was not saved, and the provider is asked to undo it until it
 * is `returned`. An order, by its register's name, has at most one reserved or spent row per credit.
 */
export const CreditSpending = defineEntity({
  name: 'CreditSpending',
  tableName: 'credit_spending',
  properties: {
    spendingId: p.integer().primary().autoincrement(),
    /** The caller's name for the order: the same name is the same order. */
    requestKey: p.string().length(320),
    /** Its position among the credits of the order. */
    position: p.integer(),
    nameTail: nameTailColumn(),
    kind: p.enum(creditKinds),
    providerCode: p.string().length(64),
    customerId: p.integer().nullable(),
    storeId: p.integer(),
    websiteId: p.integer(),
    /** Only for a gift card: a secret, never shown in full. */
    code: p.string().length(255).nullable(),
    /** The amount that the provider takes, in the base currency. */
    baseAmount: amountColumn(),
    /** The same in the order's currency. */
    amount: amountColumn(),
    points: p.integer().nullable(),
    baseCurrencyCode: p.string().length(3),
    state: p.enum(creditSpendingStates).default('reserved'),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict').nullable(),
    /** The provider's own id for it. */
    transactionId: p.string().length(255).nullable(),
    /** Set after a restore from a backup: a person must find out whether an order was saved with it. */
    heldAt: p.datetime(6).nullable(),
    /** Why it failed, in the provider's words. */
    message: p.string().length(1_000).nullable(),
    ...timestamps,
  },
  checks: [
    {
      name: 'credit_spending_positive',
      expression: `base_amount > 0 and base_amount <> 'NaN' and amount > 0 and amount <> 'NaN' and (points is null or points > 0)`,
    },
    { name: 'credit_spending_claimed_when_spent', expression: `order_id is null or state = 'spent'` },
    { name: 'credit_spending_numbered', expression: `state <> 'spent' or transaction_id is not null` },
  ],
  indexes: [
    {
      name: 'credit_spending_unclaimed',
      properties: ['updatedAt'],
      where: `order_id is null and state in ('reserved', 'spent', 'returning')`,
    },
  ],
  uniques: [
    {
      name: 'credit_spending_stands_once',
      properties: ['requestKey', 'position'],
      where: `state in ('reserved', 'spent')`,
    },
  ],
});
export type CreditSpending = InferEntity<typeof CreditSpending>;
