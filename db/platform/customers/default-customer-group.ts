import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { flag, integer, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { readConfigValue } from '../stores/read-config-value.ts';
import { StoreView } from '../stores/store-view.entity.ts';
import { CustomerGroup } from './customer-group.entity.ts';
import { noSuchDefaultGroup } from './no-such-default-group.ts';
import { findCustomerGroup, type CustomerGroupRow } from './search-customer-groups.ts';

const path = 'customer/create_account/default_group';
/** "General", where no setting names another. */
const generalGroupId = '1';

/** Everybody who has not signed in. */
export const guestGroupId = 0;

/** The id of the group that new accounts of a store view get; it may name no group. */
export const readDefaultGroupId = async (
  em: EntityManager,
  store: { storeId: number; websiteId: number },
): Promise<string> => (await readConfigValue(em, path, store)) ?? generalGroupId;

/**
 * The group that new accounts of a store view get (platform facts 8).
 *
 * Refused with 404: an unknown store view · a setting that names no group.
 */
export async function readDefaultGroup(em: EntityManager, storeId: number): Promise<CustomerGroupRow> {
  const store = await readStore.first(em, { storeId });
  if (!store) throw noSuchEntity('storeId', storeId);
  const groupId = await readDefaultGroupId(em, store);
  const group = await findCustomerGroup(em, groupId);
  if (!group) throw noSuchDefaultGroup(groupId, storeId);
  return group;
}

/**
 * Makes a group that of new accounts, where no website or store view has a setting of its own. A repeat changes
 * nothing. Refused with: 404 `id` an unknown group · 400 the group of guests, our choice: an account is no guest.
 */
export const setDefaultGroup = (em: EntityManager, id: number): Promise<void> =>
  transact(em, async (tx) => {
    if (id === guestGroupId) throw invalidValue('id', id);
    // A deletion of the group waits, and then finds that it is the default.
    if (!(await keepGroup.first(tx, { id }))) throw noSuchEntity('id', id);
    await setDefault.run(tx, { path, value: String(id) });
  });

/** Whether new accounts of any store view get this group. */
export const isDefaultGroup = async (em: EntityManager, id: number): Promise<boolean> =>
  (await isDefault.first(em, { id }))?.isSo === true;

const inOrder = `case v.scope when 'stores' then 0 when 'websites' then 1 else 2 end`;

/** The setting as it holds in the store view `s`, as `readConfigValue` reads it: the id of a group, as text. */
export const defaultGroupOfView = `coalesce((
  select v.value from config_value v
  where v.path = '${path}' and not v.is_encrypted and (v.scope = 'default'
    or (v.scope = 'websites' and v.scope_id = s.website_id) or (v.scope = 'stores' and v.scope_id = s.store_id))
  order by ${inOrder} limit 1), '${generalGroupId}')`;

const readStore = statement({
  takes: { storeId: integer },
  gives: of(StoreView, 'storeId', 'websiteId'),
  text: 'select store_id, website_id from store_view where store_id = $storeId',
});

const keepGroup = statement({
  takes: { id: integer },
  gives: of(CustomerGroup, 'id'),
  text: 'select id from customer_group where id = $id for key share',
});

const setDefault = statement({
  takes: { path: text, value: text },
  text: `
    insert into config_value as c (scope, scope_id, path, value) values ('default', 0, $path, $value)
    on conflict (path, scope, scope_id) do update set value = excluded.value
      where c.value is distinct from excluded.value`,
});

const isDefault = statement({
  takes: { id: integer },
  gives: { isSo: flag },
  text: `select exists (select from store_view s where ${defaultGroupOfView} = $id::integer::text) as is_so`,
});
