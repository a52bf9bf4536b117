import { z } from 'zod';
import type { RmaRow } from '../../../db/returns/read-rmas.ts';

const item = z
  .object({
    entity_id: z.int(),
    rma_entity_id: z.int(),
    order_item_id: z.int(),
    qty_requested: z.number(),
    qty_authorized: z.number().optional(),
    qty_approved: z.number().optional(),
    qty_returned: z.number().optional(),
    reason: z.string(),
    condition: z.string(),
    resolution: z.string(),
    status: z.string(),
  })
  .meta({ id: 'RmaItem' });

const comment = z
  .object({
    comment: z.string(),
    rma_entity_id: z.int(),
    created_at: z.string(),
    entity_id: z.int(),
    customer_notified: z.boolean(),
    visible_on_front: z.boolean(),
    status: z.string(),
    admin: z.boolean(),
  })
  .meta({ id: 'RmaComment' });

/** A return as the platform's own returns show it (platform facts 11). */
export const rmaAnswer = z
  .object({
    increment_id: z.string(),
    entity_id: z.int(),
    order_id: z.int(),
    order_increment_id: z.string(),
    store_id: z.int(),
    customer_id: z.int().optional(),
    date_requested: z.string(),
    items: z.array(item),
    status: z.string(),
    comments: z.array(comment),
    tracks: z.array(z.unknown()),
  })
  .meta({ id: 'Rma' });

/** Options are told by their labels, which are the built-in provider's ids. */
export const renderRma = (row: RmaRow): z.input<typeof rmaAnswer> => ({
  increment_id: row.increment_id,
  entity_id: row.return_id,
  order_id: row.order_id,
  order_increment_id: row.order_increment_id,
  store_id: row.store_id,
  ...(row.customer_id === null ? {} : { customer_id: row.customer_id }),
  date_requested: row.date_requested,
  items: row.items.map((one) => ({
    entity_id: one.entity_id,
    rma_entity_id: row.return_id,
    order_item_id: one.order_item_id,
    qty_requested: one.qty_requested,
    ...(one.qty_authorized === null ? {} : { qty_authorized: one.qty_authorized }),
    ...(one.qty_approved === null ? {} : { qty_approved: one.qty_approved }),
    ...(one.qty_returned === null ? {} : { qty_returned: one.qty_returned }),
    reason: one.reason ?? '',
    condition: one.condition ?? '',
    resolution: one.resolution ?? '',
    status: one.status,
  })),
  status: row.status,
  comments: row.comments.map((one) => renderRmaComment(row.return_id, one)),
  tracks: [],
});

/** Every comment is the shop's: customers write none here. */
const renderRmaComment = (returnId: number, one: RmaRow['comments'][number]) => ({
  comment: one.comment,
  rma_entity_id: returnId,
  created_at: one.created_at,
  entity_id: one.entity_id,
  customer_notified: one.customer_notified,
  visible_on_front: one.visible_on_front,
  status: one.status ?? '',
  admin: true,
});
