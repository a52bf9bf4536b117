import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { regionOf } from '../../domain/platform/directory.ts';
import { taxRateName, type Reply, type ShopFields } from '../../domain/shop.ts';
import { refusingTakenCodes } from '../platform/customers/customer-groups.ts';
import { Customer, CustomerGroup } from '../platform/customers/customer.entity.ts';
import { forgetGroup, nextGroupId } from '../platform/customers/find-customer-groups.ts';
import { isDefaultGroup } from '../platform/customers/read-customer-groups.ts';
import { makeClass, taxGoods, untaxGoods, type GoodsAtPlace } from '../platform/tax/tax-goods.ts';
import { definedFields } from '../support/defined-fields.ts';
import type { Keeper } from './keep-ids.ts';
import { readTerms } from './read-shop.ts';

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
    if (known) em.assign(known, definedFields({ taxClassId }));
    else em.create(CustomerGroup, { id: await nextGroupId(em), code, ...definedFields({ taxClassId }) });
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
