import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { orderStates } from '../../../domain/platform/order-state.ts';

/** A status an order can show, with its label. A merchant's own may belong to no state (platform facts 5.3). */
export const OrderStatus = defineEntity({
  name: 'OrderStatus',
  tableName: 'sales_order_status',
  properties: {
    status: p.string().length(32).primary(),
    label: p.string().length(128),
  },
});
export type OrderStatus = InferEntity<typeof OrderStatus>;

/** The statuses a state may have; one of them is what it starts with. */
export const OrderStatusState = defineEntity({
  name: 'OrderStatusState',
  tableName: 'sales_order_status_state',
  properties: {
    status: () => p.manyToOne(OrderStatus).mapToPk().primary().fieldName('status').deleteRule('cascade'),
    state: p.enum(orderStates).primary(),
    isDefault: p.boolean().default(false),
    isVisibleOnFront: p.boolean().default(true),
  },
  uniques: [{ name: 'sales_order_status_state_one_default', properties: ['state'], where: `is_default` }],
});
export type OrderStatusState = InferEntity<typeof OrderStatusState>;
