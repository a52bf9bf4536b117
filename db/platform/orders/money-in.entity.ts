import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amountColumn } from '../../support/columns.ts';
import { Order } from './order.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

export const moneyInKinds = ['placement', 'invoice', 'layaway_capture', 'credit_due', 'credit'] as const;

/**
 * Every payment that raised an order's total paid. Their sum is always that total.
 *
 * A reference from a register counts once per order, for any kind of payment. The shop's own references (`invoice-…`)
 * cannot collide with these.
 */
export const MoneyIn = defineEntity({
  name: 'MoneyIn',
  tableName: 'sales_money_in',
  properties: {
    moneyInId: p.integer().primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    kind: p.enum(moneyInKinds),
    reference: p.string().length(255).nullable(),
    /** The key of the step that booked it: a repeat of that step books nothing. */
    operationKey: p.string().length(64).unique().nullable(),
    amount: amountColumn(),
    baseAmount: amountColumn(),
    method: p.string().length(128).nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  uniques: [
    {
      name: 'sales_money_in_reference_once',
      properties: ['orderId', 'reference'],
      where: `reference is not null and kind in ('layaway_capture', 'credit_due')`,
    },
  ],
});

export type MoneyIn = InferEntity<typeof MoneyIn>;
