import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { noSuchEntityOfTwo } from '../../../domain/refusals/platform.ts';
import { fieldsNamed } from '../../support/fields.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { ofEntity, searchesRecords } from '../../support/search-records.ts';
import { nearestValue, readConfigValue } from '../stores/read-config-value.ts';
import { ConfigValue, StoreView } from '../stores/store.entity.ts';
import { CustomerGroup } from './customer.entity.ts';

/** One group with the name of its tax class. Refused with 404 `id` when there is none. */
export async function readCustomerGroup(em: EntityManager, id: number): Promise<CustomerGroup> {
  const group = await freshReads(em).findOne(CustomerGroup, { id }, { populate: ['taxClassName'] });
  if (!group) throw noSuchEntity('id', id);
  return group;
}

/** Searches customer groups (platform facts 3.2, 8). */
export const searchCustomerGroups = searchesRecords({
  entity: CustomerGroup,
  fields: {
    ...fieldsNamed(CustomerGroup, {
      ...{ id: 'id', customer_group_id: 'id', code: 'code', customer_group_code: 'code' },
      tax_class_id: 'taxClassId',
    }),
    tax_class_name: {
      column: `coalesce((select class_name from tax_class where class_id = ${ofEntity}.tax_class_id), '')`,
      type: 'text',
    },
  },
  order: 'id',
  populate: ['taxClassName'],
});

/** The setting that has the id of the group that new accounts get, as text. */
export const defaultGroupPath = 'customer/create_account/default_group';
/** "General", where no setting names another. */
export const generalGroupId = '1';

/** The id of the group that new accounts of a store view get; it may name no group. */
export const readDefaultGroupId = async (
  em: EntityManager,
  store: { storeId: number; websiteId: number },
): Promise<string> => (await readConfigValue(em, defaultGroupPath, store)) ?? generalGroupId;

/**
 * The group that new accounts of a store view get (platform facts 8).
 *
 * Refused with 404: an unknown store view · a setting that names no group.
 */
export async function readDefaultGroup(em: EntityManager, storeId: number): Promise<CustomerGroup> {
  const store = await freshReads(em).findOne(StoreView, { storeId });
  if (!store) throw noSuchEntity('storeId', storeId);
  const groupId = await readDefaultGroupId(em, store);
  const id = idOfText(groupId);
  const group =
    id === undefined ? null : await freshReads(em).findOne(CustomerGroup, { id }, { populate: ['taxClassName'] });
  if (!group) throw noSuchDefaultGroup(groupId, storeId);
  return group;
}

/** A setting is text: one that is not a number as PostgreSQL writes it names no group. */
function idOfText(groupId: string): number | undefined {
  const id = Number(groupId);
  return Number.isSafeInteger(id) && String(id) === groupId ? id : undefined;
}

/** Whether new accounts of any store view get this group. */
export async function isDefaultGroup(em: EntityManager, id: number): Promise<boolean> {
  const values = await freshReads(em).find(ConfigValue, { path: defaultGroupPath, isEncrypted: false });
  const views = await freshReads(em).find(StoreView, {}, { fields: ['storeId', 'websiteId'] });
  return views.some((view) => (nearestValue(values, view)?.value ?? generalGroupId) === String(id));
}

/** 404 in the platform's words: the setting of a store view names a group that does not exist (platform facts 2.3). */
export const noSuchDefaultGroup = (groupId: string, storeId: number) =>
  noSuchEntityOfTwo({
    ...{ fieldName: 'groupId', fieldValue: groupId },
    ...{ field2Name: 'storeId', field2Value: storeId },
  });

/** Everybody who has not signed in. */
export const guestGroupId = 0;

/** Whether a group cannot be deleted: that of guests, and each that new accounts get. */
export const isGroupNeeded = async (em: EntityManager, id: number): Promise<boolean> =>
  id <= guestGroupId || (await isDefaultGroup(em, id));

/**
 * Whether a group stays: that of guests, and each that new accounts get. Refused with 404 `groupId`: an unknown one.
 */
export async function isGroupReadOnly(em: EntityManager, id: number): Promise<boolean> {
  if ((await freshReads(em).count(CustomerGroup, { id })) === 0) throw noSuchEntity('groupId', id);
  return isGroupNeeded(em, id);
}
