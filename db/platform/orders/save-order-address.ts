import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { withOrder, type LockedOrder } from './lock-order.ts';
import { OrderAddress } from './order.entity.ts';
import type { PostedAddress } from './posted-order.ts';

/** An address of an order as its route saves it: found by its id, or by its type. */
export interface AddressToSave {
  entityId?: number | undefined;
  addressType: 'billing' | 'shipping';
  address: PostedAddress;
}

/**
 * Changes the sent fields of an order's address and keeps the others. It adds an address that the order does not have
 * yet (platform facts 5.4). Under the order lock; a repeat changes nothing more.
 *
 * Refused with: 404 unknown order, an address of another order.
 */
export const saveOrderAddress = (
  em: EntityManager,
  { orderId, ...sent }: AddressToSave & { orderId: number },
): Promise<OrderAddress> => withOrder(em, orderId, (tx, order) => writeAddress(tx, order, sent));

/** The same in the transaction that locked the order. */
export async function writeAddress(
  tx: EntityManager,
  order: LockedOrder,
  { entityId, addressType, address }: AddressToSave,
): Promise<OrderAddress> {
  const orderId = order.entityId;
  const which = entityId === undefined ? { addressType } : { entityId };
  const known = await tx.findOne(OrderAddress, { order: orderId, ...which }, { refresh: true });
  if (!known && entityId !== undefined) throw noSuchDocument();
  const saved = known
    ? tx.assign(known, definedFields(address))
    : tx.create(OrderAddress, { ...definedFields(address), order: orderId, addressType });
  await tx.flush();
  if (saved.addressType === 'billing') order.billingAddressId = saved.entityId;
  else order.shippingAddressId = saved.entityId;
  return saved;
}
