import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { sql } from '../../support/sql.ts';

/**
 * A customer's store view: the named one, if it belongs to the customer's website, else the account's own. Refused
 * with: 404 an unknown customer.
 */
export async function findStoreOfCustomer(
  em: EntityManager,
  request: { customerId: number; storeId: number },
): Promise<{ websiteId: number; storeId: number }> {
  const store = await selectStoreOfCustomer.first(em, { customerId: request.customerId, storeId: request.storeId });
  if (!store) throw noSuchEntity('customerId', request.customerId);
  return store;
}

const selectStoreOfCustomer = sql('find-store-of-customer.selectStoreOfCustomer')`
  select c.website_id, coalesce(v.store_id, c.store_id) as store_id
  from customer c left join store_view v on v.store_id = $storeId and v.website_id = c.website_id
  where c.id = $customerId`;
