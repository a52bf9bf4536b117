import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amountColumn } from '../../support/columns.ts';
import { Order } from './order.entity.ts';

export const moneyInKinds = ['placement', 'invoice', 'layaway_capture', 'credit_due'] as const;

/** Every payment that raised an order's total paid; they sum to it at any instant. A reference counts once per order. */
export const MoneyIn = defineEntity({
  name: 'MoneyIn',
  tableName: 'sales_money_in',
  properties: {
    moneyInId: p.integer().primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    kind: p.enum(moneyInKinds),
    reference: p.string().length(255).nullable(),
    amount: amountColumn(),
    baseAmount: amountColumn(),
    method: p.string().length(128).nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  uniques: [
    { name: 'sales_money_in_reference_once', properties: ['orderId', 'reference'], where: 'reference is not null' },
  ],
});

export type MoneyIn = InferEntity<typeof MoneyIn>;
