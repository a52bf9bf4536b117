import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { AttributeSettings } from '../../domain/platform/catalog/product-attributes.ts';
import { regionOf } from '../../domain/platform/directory.ts';
import { taxRateName, type Reply, type ShopFields } from '../../domain/shop.ts';
import { emailKey } from '../../domain/staff.ts';
import type { Author } from '../audit/record-difference.ts';
import { Location } from '../locations/location.entity.ts';
import {
  addAttributeOption,
  changeAttributeOption,
  deleteProductAttribute,
  isSame,
  lockAttribute,
  removeAttributeOption,
  setDefault,
  takesOptions,
} from '../platform/catalog/attribute-options.ts';
import {
  changeProductAttribute,
  createProductAttribute,
  refuseWrongDefault,
} from '../platform/catalog/attribute-sets.ts';
import { ProductAttributeOption } from '../platform/catalog/fixed-product-tax.entity.ts';
import { lookUpProductAttribute, type AttributeDraft } from '../platform/catalog/search-product-attributes.ts';
import { refusingTakenCodes } from '../platform/customers/customer-groups.ts';
import { Customer, CustomerGroup } from '../platform/customers/customer.entity.ts';
import { forgetGroup, isDefaultGroup, nextGroupId } from '../platform/customers/find-customer-groups.ts';
import { StoreView } from '../platform/stores.ts';
import { makeClass, taxGoods, untaxGoods, type GoodsAtPlace } from '../platform/tax/tax-goods.ts';
import { assignStaff, unassignStaff } from '../staff/assign-staff.ts';
import { Role, Staff, StaffLocation } from '../staff/staff-login-failure.entity.ts';
import { createStaff, deleteStaff, updateStaff } from '../staff/staff.ts';
import { given } from '../support/given.ts';
import { joined } from '../support/transact.ts';
import { refuseUses, usesOfAttribute, usesOfOption, type Keeper } from './keep-ids.ts';
import { readTerms } from './read-shop.ts';

/** People at the registers. New ones have a passcode that nobody knows until one is given. */
export const staff: Keeper<'staff'> = {
  async save(em, { name: email, fields }, { by, unknownPasscode }) {
    const { role, locations, ...wish } = fields;
    const roleId = role === undefined ? undefined : await roleNamed(em, role);
    const known = await em.findOne(Staff, { emailKey: emailKey(email) });
    const staffId = known
      ? known.staffId
      : (await createStaff(em, { ...whole(email, wish), roleId: roleId ?? 0, passcodeHash: unknownPasscode }, by))
          .staffId;
    if (known) await updateStaff(em, { staffId, wish: { ...wish, roleId, email }, by });
    if (locations !== undefined) await workAt(em, { staffId, codes: locations, by });
  },
  async remove(em, email, { by }) {
    const { staffId } = await em.findOneOrFail(Staff, { emailKey: emailKey(email) });
    await deleteStaff(em, { staffId, by });
  },
};

/** The id of a role. Refused with 400 for an unknown one. */
export async function roleNamed(em: EntityManager, name: string): Promise<number> {
  const role = await em.findOne(Role, { name });
  if (!role) throw invalid('No role is called %1.', [name]);
  return role.roleId;
}

interface Names {
  firstName?: string | undefined;
  lastName?: string | undefined;
  allLocations?: boolean | undefined;
  isActive?: boolean | undefined;
}

const whole = (email: string, { firstName = '', lastName = '', allLocations = false, isActive = true }: Names) => ({
  ...{ email, firstName, lastName, allLocations, isActive },
});

/**
 * Lets a member of staff work at these locations and no others. A repeat changes nothing.
 *
 * Refused with 400 for an unknown location.
 */
export async function workAt(
  em: EntityManager,
  { staffId, codes, by }: { staffId: number; codes: readonly string[]; by: Author },
): Promise<void> {
  const locations = await em.find(Location, { code: { $in: [...codes] } });
  const unknown = codes.find((code) => !locations.some((location) => location.code === code));
  if (unknown !== undefined) throw invalid('No location has the code %1.', [unknown]);
  const requested = locations.map(({ locationId }) => locationId);
  const present = (await em.find(StaffLocation, { staffId })).map(({ locationId }) => locationId);
  for (const locationId of requested)
    if (!present.includes(locationId)) await assignStaff(em, { staffId, locationId, by });
  for (const locationId of present)
    if (!requested.includes(locationId)) await unassignStaff(em, { staffId, locationId, by });
}

export const taxRates: Keeper<'taxRate'> = {
  async save(em, { name, fields }) {
    const { code, percent } = fields;
    const known = await findTax(em, name);
    const goods = goodsOf(name, known ?? fields);
    await taxGoods(em, { ...goods, code: code ?? known?.code ?? name, percent: percent ?? known?.percent ?? '0' });
  },
  /** Orders keep their own tax amounts, so any tax may be removed. */
  async remove(em, name) {
    await untaxGoods(em, goodsOf(name, (await findTax(em, name)) ?? {}));
  },
};

type AnsweredTax = Reply<ShopFields['taxRate']>;

async function findTax(em: EntityManager, name: string): Promise<AnsweredTax | undefined> {
  const known = (await readTerms(em)).find((record) => record.kind === 'taxRate' && record.name === name);
  return known?.kind === 'taxRate' ? known.fields : undefined;
}

function goodsOf(name: string, { taxClassId, countryId, region = null }: AnsweredTax): GoodsAtPlace {
  if (taxClassId === undefined || countryId === undefined) throw invalid('Tax rate %1 has no place.', [name]);
  const { regionId } = regionOf(countryId, region);
  if (region !== null && regionId === null)
    throw invalid('Tax rate %1: %2 has no region %3.', [
      taxRateName({ countryId, region, taxClassId }),
      countryId,
      region,
    ]);
  return { taxClassId, countryId, regionId: regionId ?? 0 };
}

/** The group of guests, which every database has. */
const notLoggedIn = 0;

export const customerGroups: Keeper<'customerGroup'> = {
  async save(em, { name: code, fields: { taxClassId } }) {
    if (taxClassId !== undefined) await makeClass(em, { taxClassId, type: 'CUSTOMER' });
    const known = await em.findOne(CustomerGroup, { code });
    if (known) em.assign(known, given({ taxClassId }));
    else em.create(CustomerGroup, { id: await nextGroupId(em), code, ...given({ taxClassId }) });
    await refusingTakenCodes(() => em.flush());
  },
  async remove(em, code) {
    const { id } = await em.findOneOrFail(CustomerGroup, { code });
    if (id === notLoggedIn) throw invalid('Customer group %1 is that of guests and stays.', [code]);
    if (await isDefaultGroup(em, id)) throw invalid('Customer group %1 is that of new accounts and stays.', [code]);
    const members = await em.count(Customer, { groupId: id });
    if (members > 0) throw invalid('This needs customer group %1 as it is: %2 customers.', [code, members]);
    await forgetGroup(em, id);
  },
};

type AnsweredAttribute = Reply<ShopFields['attribute']>;

/** The attributes of products. Those that products have a value of stay, and so do their options. */
export const attributes: Keeper<'attribute'> = {
  async save(em, { name: code, fields }) {
    const draft = await draftOf(em, code, fields);
    if (await lookUpProductAttribute(em, code)) {
      await refuseOtherInput(joined(em), code, fields.input);
      await changeProductAttribute(em, code, draft);
    } else {
      const made = { ...draft, attributeCode: code, label: fields.label ?? code };
      await createProductAttribute(em, { ...made, frontendInput: fields.input ?? 'text' });
    }
    if (fields.settings) await keepSettings(joined(em), code, fields.settings);
    if (fields.options) await keepOptions(joined(em), code, fields.options);
    if (fields.defaults) await keepDefaults(joined(em), code, fields.defaults);
  },
  async remove(em, code) {
    refuseUses(`attribute ${code}`, await usesOfAttribute.all(em, { code }));
    await deleteProductAttribute(em, code);
  },
};

async function draftOf(em: EntityManager, code: string, fields: AnsweredAttribute): Promise<AttributeDraft> {
  const { label, labels, scope, isRequired, isUnique, input } = fields;
  return {
    ...{ label, scope, isRequired, isUnique, frontendInput: input, settings: {} },
    labels: labels && (await labelsOf(em, code, labels)),
  };
}

async function labelsOf(em: EntityManager, attribute: string, labels: Readonly<Record<string, string>>) {
  const views = await em.find(StoreView, { code: { $in: Object.keys(labels) } });
  return Object.entries(labels).map(([code, label]) => {
    const view = views.find((one) => one.code === code);
    if (!view) throw invalid('Attribute %1: no store view has the code %2.', [attribute, code]);
    return { storeId: view.storeId, label };
  });
}

/** Products have values of the input that there is. One that came with a product may get the first one. */
async function refuseOtherInput(em: EntityManager, code: string, input: string | undefined): Promise<void> {
  const row = await lockAttribute(em, code);
  if (input === undefined || input === row.frontendInput) return;
  if (row.label === null && row.frontendInput !== 'weee') return;
  throw invalid('Attribute %1 is entered as %2, and stays so.', [code, row.frontendInput]);
}

/** Which options a new product has is said elsewhere. */
async function keepSettings(em: EntityManager, code: string, settings: AttributeSettings): Promise<void> {
  const row = await lockAttribute(em, code);
  const { default_value: usual } = row.settings;
  row.settings = { ...settings, ...(takesOptions(row) && usual ? { default_value: usual } : {}) };
  refuseWrongDefault(row);
  await em.flush();
}

async function keepOptions(
  em: EntityManager,
  code: string,
  requested: NonNullable<AnsweredAttribute['options']>,
): Promise<void> {
  const { attributeId } = await lockAttribute(em, code);
  const known = await em.find(ProductAttributeOption, { attributeId });
  for (const { optionId, label } of known) {
    if (requested.some((one) => isSame(one.label, label))) continue;
    refuseUses(`option ${label} of ${code}`, await usesOfOption.all(em, { code, value: String(optionId) }));
    await removeAttributeOption(em, code, optionId);
  }
  for (const [sortOrder, { label, labels }] of requested.entries()) {
    const option = known.find((one) => isSame(one.label, label));
    const gone = (option?.storeLabels ?? []).map(({ storeId }) => ({ storeId, label: '' }));
    const draft = { label, sortOrder, storeLabels: [...gone, ...(await labelsOf(em, code, labels))] };
    if (option) await changeAttributeOption(em, code, { ...draft, id: option.optionId });
    else await addAttributeOption(em, code, draft);
  }
}

async function keepDefaults(em: EntityManager, code: string, labels: readonly string[]): Promise<void> {
  const row = await lockAttribute(em, code);
  const known = await em.find(ProductAttributeOption, { attributeId: row.attributeId });
  const chosen = labels.map((label) => {
    const option = known.find((one) => isSame(one.label, label));
    if (!option) throw invalid('Attribute %1 has no option %2.', [code, label]);
    return option;
  });
  if (chosen.length > 1 && row.frontendInput !== 'multiselect')
    throw invalid('A product has one value of %1, and so one default.', [code]);
  const { default_value: _usual, ...others } = row.settings;
  row.settings = others;
  if (chosen.length > 0) setDefault(row, chosen);
  await em.flush();
}
