import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue, noSuchEntity, notFound } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { count, flag, integer, surely, text } from '../../support/kinds.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { asListed, of } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { readConfigValue } from '../stores/read-config-value.ts';
import { StoreView } from '../stores/store-view.entity.ts';
import { CustomerGroup } from './customer-group.entity.ts';

const taxClassName = `coalesce((select class_name from tax_class where class_id = tax_class_id), '')`;
const columns = `id, code, tax_class_id, exclude_website_ids, ${taxClassName} as tax_class_name`;

export type CustomerGroupRow = RowFrom<typeof read>;

const read = statement({
  takes: { id: integer },
  gives: { ...asListed(CustomerGroup, 'id', 'code', 'taxClassId', 'excludeWebsiteIds'), tax_class_name: surely(text) },
  text: `select ${columns} from customer_group where id = $id`,
});

/** By an id that is text, as a setting has it: one that is no number finds nothing. */
const find = statement({
  takes: { id: text },
  gives: { ...asListed(CustomerGroup, 'id', 'code', 'taxClassId', 'excludeWebsiteIds'), tax_class_name: surely(text) },
  text: `select ${columns} from customer_group where id::text = $id`,
});

export const findCustomerGroup = (em: EntityManager, id: string): Promise<CustomerGroupRow | undefined> =>
  find.first(em, { id });

/** Searches customer groups (platform facts 3.2, 8). */
export const searchCustomerGroups = (em: EntityManager, criteria: SearchCriteria) =>
  search<CustomerGroupRow>(em, criteria, {
    table: 'customer_group',
    columns,
    fields: {
      id: { column: 'id', type: 'integer' },
      customer_group_id: { column: 'id', type: 'integer' },
      code: { column: 'code', type: 'text' },
      customer_group_code: { column: 'code', type: 'text' },
      tax_class_id: { column: 'tax_class_id', type: 'integer' },
      tax_class_name: { column: taxClassName, type: 'text' },
    },
    order: 'id',
  });

/** One group. Refused with 404 `id` when there is none. */
export async function readCustomerGroup(em: EntityManager, id: number): Promise<CustomerGroupRow> {
  const row = await read.first(em, { id });
  if (!row) throw noSuchEntity('id', id);
  return row;
}

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

/** 404 in the platform's words: the setting of a store view names a group that does not exist (platform facts 2.3). */
export const noSuchDefaultGroup = (groupId: string, storeId: number) =>
  notFound('No such entity with %fieldName = %fieldValue, %field2Name = %field2Value', {
    ...{ fieldName: 'groupId', fieldValue: groupId },
    ...{ field2Name: 'storeId', field2Value: storeId },
  });

/** The number of a new group, in the caller's transaction: one above every group there is or was. */
export async function nextGroupId(tx: EntityManager): Promise<number> {
  await lockAdvisory(tx, 'number of a customer group');
  const row = await drawId.first(tx);
  return row?.id ?? 1;
}

/** 32000 means all groups, in tier prices. */
const drawId = statement({
  takes: {},
  gives: { id: count },
  text: `
    select case drawn.id when 32000 then 32001 else drawn.id end as id
    from (select greatest(nextval('customer_group_id_seq'), (select max(id) + 1 from customer_group)) as id) drawn`,
});
