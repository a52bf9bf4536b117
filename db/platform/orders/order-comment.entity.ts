import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Order } from './order.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

/** One line of an order's history (platform facts 5.2 `status_histories`). */
export const OrderComment = defineEntity({
  name: 'OrderComment',
  tableName: 'sales_order_status_history',
  properties: {
    entityId: p.integer().primary().autoincrement(),
    parentId: () => p.manyToOne(Order).mapToPk().fieldName('parent_id').index().deleteRule('cascade'),
    comment: p.text().nullable(),
    status: p.string().length(32).nullable(),
    entityName: p.string().length(32).default('order'),
    isCustomerNotified: p.integer().default(0).nullable(),
    isVisibleOnFront: p.integer().default(0),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
});

export type OrderComment = InferEntity<typeof OrderComment>;
