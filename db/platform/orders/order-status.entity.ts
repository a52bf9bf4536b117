import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A status with its label and, when assigned, the state it belongs to (platform facts 5.3). */
export const OrderStatus = defineEntity({
  name: 'OrderStatus',
  tableName: 'sales_order_status',
  properties: {
    status: p.string().length(32).primary(),
    label: p.string().length(128),
    state: p.string().length(32).nullable(),
    isDefault: p.boolean().default(false),
    isVisibleOnFront: p.boolean().default(true),
  },
});

export type OrderStatus = InferEntity<typeof OrderStatus>;
