import type { EntityManager } from '@mikro-orm/postgresql';
import { conflict } from '../../../domain/errors.ts';
import { text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import type { SavedOrder } from './insert-order.ts';
import { Order } from './order.entity.ts';
import type { PostedOrder } from './posted-order.ts';
import { saleFingerprint } from './sale-fingerprint.ts';

/**
 * The order that was placed for a sale. Undefined: the sale has no order yet, or the posted order has no sale id.
 *
 * Refused with: 409 `sale_order_conflict`: the sale was posted with other content, or its order got the sale id in
 * another way.
 */
export async function orderOfSale(em: EntityManager, posted: PostedOrder): Promise<SavedOrder | undefined> {
  const { posSaleId } = posted.columns;
  if (!posSaleId) return undefined;
  const known = await find.first(em, { posSaleId });
  if (!known) return undefined;
  const { entityId: orderId, posSaleFingerprint, ...order } = known;
  if (posSaleFingerprint !== saleFingerprint(posted)) throw saleTaken(known);
  return { ...order, orderId, posSaleId, isNew: true, isReplayed: true };
}

const find = statement({
  takes: { posSaleId: text },
  gives: of(
    Order,
    'entityId',
    'incrementId',
    'storeId',
    'state',
    'customerId',
    'posLayawayStatus',
    'posSaleFingerprint',
  ),
  text: `
    select entity_id, increment_id, store_id, state, customer_id, pos_layaway_status, pos_sale_fingerprint
    from sales_order where pos_sale_id = $posSaleId`,
});

/** 409 `sale_order_conflict`: the sale id belongs to another order. */
export const saleTaken = (order?: { entityId: number; incrementId: string }) =>
  conflict(
    'sale_order_conflict',
    order
      ? `The sale is already order ${order.incrementId}, with other content.`
      : 'The sale is already another order.',
    order ? { order_id: order.entityId, increment_id: order.incrementId } : {},
  );
