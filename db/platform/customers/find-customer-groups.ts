import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { customerHasCredit, groupNotDeletable } from '../../../domain/refusals/customers.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { isStillNeeded } from '../../support/records.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';
import {
  defaultGroupPath,
  generalGroupId,
  guestGroupId,
  isGroupNeeded,
  noSuchDefaultGroup,
} from './read-customer-groups.ts';

/**
 * Makes a group that of new accounts, where no website or store view has a setting of its own. A repeat changes
 * nothing. Refused with: 404 `id` an unknown group · 400 the group of guests, our choice: an account is no guest.
 */
export const setDefaultGroup = (em: EntityManager, id: number): Promise<void> =>
  transact(em, async (tx) => {
    if (id === guestGroupId) throw invalidValue('id', id);
    // A deletion of the group waits, and then finds that it is the default.
    if (!(await keepGroup.first(tx, { id }))) throw noSuchEntity('id', id);
    await setDefault.run(tx, { path: defaultGroupPath, value: String(id) });
  });

const inOrder = `case v.scope when 'stores' then 0 when 'websites' then 1 else 2 end`;

/** The setting as it holds in the store view `s`, as `readConfigValue` reads it: the id of a group, as text. */
const defaultGroupOfView = `coalesce((
  select v.value from config_value v
  where v.path = '${defaultGroupPath}' and not v.is_encrypted and (v.scope = 'default'
    or (v.scope = 'websites' and v.scope_id = s.website_id) or (v.scope = 'stores' and v.scope_id = s.store_id))
  order by ${inOrder} limit 1), '${generalGroupId}')`;

const keepGroup = sql('find-customer-groups.keepGroup')`select id from customer_group where id = $id for key share`;

const setDefault = sql('find-customer-groups.setDefault')`
  insert into config_value as c (scope, scope_id, path, value) values ('default', 0, $path, $value)
  on conflict (path, scope, scope_id) do update set value = excluded.value
    where c.value is distinct from excluded.value`;

/** The number of a new group, in the caller's transaction: one above every group there is or was. */
export async function nextGroupId(tx: EntityManager): Promise<number> {
  await lockAdvisory(tx, 'number of a customer group');
  const row = await drawId.first(tx);
  return row?.id ?? 1;
}

/** 32000 means all groups, in tier prices. */
const drawId = sql('find-customer-groups.drawId')`
  select case drawn.id when 32000 then 32001 else drawn.id end as id
  from (select greatest(nextval('customer_group_id_seq'), (select max(id) + 1 from customer_group)) as id) drawn`;

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
      if (await isGroupNeeded(tx, id)) throw groupNotDeletable();
      await moveCustomers.run(tx, { id });
      const left = await readLeft.first(tx, { id });
      if (left) throw noSuchDefaultGroup(left.groupId, left.storeId);
      await forgetGroup(tx, id);
    });
  } catch (error) {
    // The group that its customers were to get was deleted at the same time.
    if (isStillNeeded(error)) throw groupNotDeletable();
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

const lock = sql('find-customer-groups.lock')`select id from customer_group where id = $id for update`;
const remove = sql('find-customer-groups.remove')`delete from customer_group where id = $id`;

/** The setting is read once for each store view, not for each customer. */
const moveCustomers = sql('find-customer-groups.moveCustomers')`
  with target as materialized (
    select s.store_id, g.id as group_id
    from store_view s join customer_group g on g.id::text = ${defaultGroupOfView})
  update customer c set group_id = t.group_id, updated_at = now()
  from target t where c.group_id = $id and t.store_id = c.store_id`;

const readLeft = sql('find-customer-groups.readLeft')`
  select s.store_id, ${defaultGroupOfView} as group_id
  from customer c join store_view s using (store_id) where c.group_id = $id limit 1`;

const dropTierPrices = sql('find-customer-groups.dropTierPrices')`
  update product set updated_at = now(), tier_prices = coalesce((
    select jsonb_agg(tier order by place) from jsonb_array_elements(tier_prices) with ordinality as t (tier, place)
    where tier -> 'customerGroupId' <> to_jsonb($id::bigint)), '[]')
  where tier_prices @> jsonb_build_array(jsonb_build_object('customerGroupId', $id::bigint))`;

/** An empty list means no group here, but every group where a client sends it back. */
const leaveCatalogRules = sql('find-customer-groups.leaveCatalogRules')`
  update catalog_rule set updated_at = now(),
    customer_group_ids = array_remove(customer_group_ids, $id::bigint::text),
    is_active = is_active and customer_group_ids <> array[$id::bigint::text]
  where $id::bigint::text = any(customer_group_ids)`;

const leaveSalesRules = sql('find-customer-groups.leaveSalesRules')`
  update sales_rule set customer_group_ids = array_remove(customer_group_ids, $id::bigint::text),
    is_active = is_active and customer_group_ids <> array[$id::bigint::text]
  where $id::bigint::text = any(customer_group_ids)`;

export const notSettled = 'The customer has orders that are not settled and cannot be deleted.';

/**
 * Deletes an account with its addresses, cart, wishes and newsletter, and revokes its tokens; orders and receipts
 * keep its data (platform facts 8). A repeat finds nothing.
 *
 * Refused with: 404 unknown customer · 400 the account has a wallet or points, whose ledgers must stay; 400 an order
 * that owes money, is laid away, or still gives back credit or points.
 */
export async function deleteCustomer(em: EntityManager, { customerId, now }: { customerId: number; now: Date }) {
  try {
    await transact(em, async (tx) => {
      await lockCustomer(tx, customerId);
      await refuseUnsettled(tx, customerId);
      await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
      await removeCustomer(tx, customerId);
    });
  } catch (error) {
    if (isStillNeeded(error)) throw customerHasCredit();
    throw error;
  }
}

/** Who it is, locked until the transaction ends. Refused with 404: an unknown customer. */
export async function lockCustomer(tx: EntityManager, customerId: number) {
  const customer = await customerLock.first(tx, { customerId });
  if (!customer) throw noSuchEntity('customerId', customerId);
  return customer;
}

/** Deletes the account, in the transaction that locks it. */
export const removeCustomer = (tx: EntityManager, customerId: number): Promise<number> =>
  deleteCustomerRemove.run(tx, { customerId });

const customerLock = sql('find-customer-groups.customerLock')`
  select email, website_id from customer where id = $customerId for update`;

const deleteCustomerRemove = sql(
  'find-customer-groups.deleteCustomerRemove',
)`delete from customer where id = $customerId`;

/** Refused with 400: an order that owes money, is laid away, or still gives back credit or points. */
export async function refuseUnsettled(tx: EntityManager, customerId: number): Promise<void> {
  const open = await unsettled.first(tx, { customerId });
  if (open?.isSaid) throw invalid(notSettled);
}

/** Whether money, goods or points must still reach the account. */
const unsettled = sql('find-customer-groups.unsettled')`
  select exists (
    select from sales_order
    where customer_id = $customerId and base_total_due > 0 and state <> 'canceled' and state <> 'closed'
  ) or exists (
    select from sales_order
    where customer_id = $customerId and pos_layaway_status in ('open', 'stale')
      and state <> 'canceled' and state <> 'closed'
  ) or exists (
    select from credit_refund r join sales_order o on o.entity_id = r.order_id
    where r.state = 'reserved' and (r.customer_id = $customerId or o.customer_id = $customerId)
  ) or exists (
    select from reward_points_due d join sales_order o on o.entity_id = d.order_id where o.customer_id = $customerId
  ) as is_said`;
