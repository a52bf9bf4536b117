import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Order } from '../platform/orders/order.entity.ts';

/** An order whose receipt could not be linked when it was saved. The sweep links it and deletes the row. */
export const LostLink = defineEntity({
  name: 'LostLink',
  tableName: 'pos_receipt_lost_link',
  properties: {
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').primary().deleteRule('cascade'),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export type LostLink = InferEntity<typeof LostLink>;
