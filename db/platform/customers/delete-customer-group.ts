import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { isStillNeeded } from '../../support/is-still-needed.ts';
import { integer, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { CustomerGroup } from './customer-group.entity.ts';
import { defaultGroupOfView, guestGroupId, isDefaultGroup, noSuchDefaultGroup } from './find-customer-groups.ts';

export const notDeletable = 'Cannot delete group.';

/** Whether a group stays: that of guests, and each that new accounts get. Refused with 404 `groupId`: an unknown one. */
export async function isGroupReadOnly(em: EntityManager, id: number): Promise<boolean> {
  if (!(await read.first(em, { id }))) throw noSuchEntity('groupId', id);
  return isNeeded(em, id);
}

/**
 * Deletes a customer group (platform facts 8). Its customers get the default group of their store view. Its tier prices
 * go, and promotions no longer name it; one that was for this group alone is switched off. A repeat finds nothing.
 *
 * Refused with: 404 `id` unknown group · 404 the default group of a customer's store view does not exist · 400 the
 * group of guests, or one that new accounts get.
 */
export async function deleteCustomerGroup(em: EntityManager, id: number): Promise<void> {
  try {
    await transact(em, async (tx) => {
      if (!(await lock.first(tx, { id }))) throw noSuchEntity('id', id);
      if (await isNeeded(tx, id)) throw invalid(notDeletable);
      await moveCustomers.run(tx, { id });
      const left = await readLeft.first(tx, { id });
      if (left) throw noSuchDefaultGroup(left.groupId, left.storeId);
      await forgetGroup(tx, id);
    });
  } catch (error) {
    // The group that its customers were to get was deleted at the same time.
    if (isStillNeeded(error)) throw invalid(notDeletable);
    throw error;
  }
}

/** Deletes a group without customers, with its prices and its share in promotions, in the caller's transaction. */
export async function forgetGroup(tx: EntityManager, id: number): Promise<void> {
  await dropTierPrices.run(tx, { id });
  await leaveCatalogRules.run(tx, { id });
  await leaveSalesRules.run(tx, { id });
  await remove.run(tx, { id });
}

const isNeeded = async (em: EntityManager, id: number) => id <= guestGroupId || (await isDefaultGroup(em, id));

const takes = { id: integer };
const gives = of(CustomerGroup, 'id');

const read = statement({ takes, gives, text: 'select id from customer_group where id = $id' });
const lock = statement({ takes, gives, text: 'select id from customer_group where id = $id for update' });
const remove = statement({ takes, text: 'delete from customer_group where id = $id' });

/** The setting is read once for each store view, not for each customer. */
const moveCustomers = statement({
  takes,
  text: `
    with target as materialized (
      select s.store_id, g.id as group_id
      from store_view s join customer_group g on g.id::text = ${defaultGroupOfView})
    update customer c set group_id = t.group_id, updated_at = now()
    from target t where c.group_id = $id and t.store_id = c.store_id`,
});

const readLeft = statement({
  takes,
  gives: { storeId: integer, groupId: text },
  text: `
    select s.store_id, ${defaultGroupOfView} as group_id
    from customer c join store_view s using (store_id) where c.group_id = $id limit 1`,
});

const dropTierPrices = statement({
  takes,
  text: `
    update product set updated_at = now(), tier_prices = coalesce((
      select jsonb_agg(tier order by place) from jsonb_array_elements(tier_prices) with ordinality as t (tier, place)
      where tier -> 'customerGroupId' <> to_jsonb($id::integer)), '[]')
    where tier_prices @> jsonb_build_array(jsonb_build_object('customerGroupId', $id::integer))`,
});

/** An empty list means no group here, but every group where a client sends it back. */
const leaveCatalogRules = statement({
  takes,
  text: `
    update catalog_rule set updated_at = now(),
      customer_group_ids = array_remove(customer_group_ids, $id::integer::text),
      is_active = is_active and customer_group_ids <> array[$id::integer::text]
    where $id::integer::text = any(customer_group_ids)`,
});

const leaveSalesRules = statement({
  takes,
  text: `
    update sales_rule set customer_group_ids = array_remove(customer_group_ids, $id::integer::text),
      is_active = is_active and customer_group_ids <> array[$id::integer::text]
    where $id::integer::text = any(customer_group_ids)`,
});
