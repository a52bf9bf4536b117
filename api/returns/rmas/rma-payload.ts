import { z } from 'zod';
import { fieldRequired, invalid } from '../../../domain/errors.ts';
import { returnStatuses, type ReturnStatus } from '../../../domain/returns/return-status.ts';
import { growing, integer, quantity, text } from '../../wire/schemas.ts';
import type { ReturnWish } from '../place-return.ts';
import { choiceOf } from '../choice-of.ts';

const mostItems = 500;

const item = growing({
  entityId: integer.optional(),
  orderItemId: integer.optional(),
  qtyRequested: quantity.optional(),
  reason: text(255).optional(),
  condition: text(64).optional(),
  resolution: text(64).optional(),
  status: text(32).optional(),
}).meta({ id: 'RmaItem' });

/** A return in the platform's own shape. What only the server sets is ignored, so that an answer can be sent back. */
export const rmaPayload = growing({
  orderId: integer.optional(),
  customerId: integer.optional(),
  items: z.array(item).max(mostItems).optional(),
  status: text(32).optional(),
  comments: z
    .array(growing({ comment: text(4_000).optional(), entityId: integer.optional() }))
    .max(mostItems)
    .optional(),
  tracks: z.array(z.unknown()).max(1_000).optional(),
}).meta({ id: 'Rma' });

type RmaPayload = z.output<typeof rmaPayload>;

/**
 * The return that it asks for: reason, condition and resolution are ids of options, or labels. Refused with 400:
 * no order, no items, an item without its line or its quantity, parcels.
 */
export function wishOf({ orderId, customerId, items = [], comments = [], tracks = [] }: RmaPayload): ReturnWish {
  if (orderId === undefined) throw fieldRequired('orderId');
  if (items.length === 0) throw fieldRequired('items');
  if (tracks.length > 0) throw noParcels();
  const said = comments.flatMap(({ comment }) => comment?.trim() || []);
  return {
    ...{ orderId, customerId, autoApprove: false },
    ...(said.length === 0 ? {} : { comment: said.join('\n') }),
    items: items.map(({ orderItemId, qtyRequested, reason, condition, resolution }) => {
      if (orderItemId === undefined) throw fieldRequired('orderItemId');
      if (qtyRequested === undefined) throw fieldRequired('qtyRequested');
      return {
        ...{ order_item_id: orderItemId, qty_requested: qtyRequested, return_to_stock: true },
        ...{ reason_id: reason, condition_id: condition, resolution_id: resolution },
      };
    }),
  };
}

/**
 * The status that a save wants, by the return or by its items: whatever differs from the one it has. Refused with 400:
 * an unknown status, several.
 */
export function wantedStatus({ status, items = [] }: RmaPayload, now: string): ReturnStatus | undefined {
  const named = [status, ...items.map((one) => one.status)].flatMap(
    (one) => choiceOf(returnStatuses, 'status', one) ?? [],
  );
  const [wanted, ...others] = new Set(named.filter((one) => one !== now));
  if (others.length > 0) throw invalid('The items of a return have one status together. Send one.');
  return wanted;
}

const noParcels = () => invalid('Parcels of a return are not kept. Send it without tracks.');
