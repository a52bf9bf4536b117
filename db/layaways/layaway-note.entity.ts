import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Order } from '../platform/orders/order.entity.ts';

/** The reason of a cancellation, stored until it is carried out: such text never travels through a workflow. */
export const LayawayNote = defineEntity({
  name: 'LayawayNote',
  tableName: 'layaway_note',
  properties: {
    noteId: p.integer().primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('cascade'),
    reason: p.text(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});
export type LayawayNote = InferEntity<typeof LayawayNote>;
