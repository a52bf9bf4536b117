import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { Category } from '../platform/categories/category.entity.ts';
import { StoreGroup } from '../platform/stores/store-group.entity.ts';
import { StoreView } from '../platform/stores/store-view.entity.ts';
import { Website } from '../platform/stores/website.entity.ts';
import { given } from '../support/given.ts';
import { forgetView, forgetWebsite } from './forget-scope.ts';
import type { Keeper } from './keeper.ts';
import { nextId } from './next-id.ts';
import { refuseWhileNeeded, usesOfGroup, usesOfView, usesOfWebsite } from './uses-of.ts';

/** The root category of a group that names none. */
const rootCategory = 2;

export const websites: Keeper<'website'> = {
  async save(em, { name: code, fields }) {
    const { name, baseCurrencyCode, timeZone, isDefault } = fields;
    const known = await em.findOne(Website, { code });
    if (known && baseCurrencyCode !== undefined && baseCurrencyCode !== known.baseCurrencyCode)
      await refuseWhileNeeded(em, usesOfWebsite, { id: known.websiteId, what: `the currency of website ${code}` });
    if (isDefault === true) await em.nativeUpdate(Website, { code: { $ne: code } }, { isDefault: false });
    if (known) em.assign(known, given({ name, baseCurrencyCode, timeZone, isDefault }));
    else
      em.create(Website, {
        websiteId: await nextId(em, 'website'),
        code,
        name: name ?? code,
        baseCurrencyCode: baseCurrencyCode ?? '',
        ...given({ timeZone, isDefault }),
      });
    await em.flush();
  },
  async remove(em, code) {
    const { websiteId, isDefault } = await em.findOneOrFail(Website, { code });
    if (isDefault) throw invalid('Website %1 is the default one; make another one that first.', [code]);
    await refuseWhileNeeded(em, usesOfWebsite, { id: websiteId, what: `website ${code}` });
    await forgetWebsite(em, websiteId);
    await em.nativeDelete(Website, { websiteId });
  },
};

export const storeGroups: Keeper<'storeGroup'> = {
  async save(em, { name: code, fields: { website, name, rootCategoryId } }) {
    const known = await em.findOne(StoreGroup, { code });
    const websiteId = website === undefined ? known?.websiteId : await websiteOf(em, website);
    if (known && websiteId !== known.websiteId)
      throw invalid('Store group %1 cannot move to another website; its store views would.', [code]);
    if (rootCategoryId !== undefined && !(await em.count(Category, { entityId: rootCategoryId })))
      throw invalid('Store group %1: there is no category %2.', [code, rootCategoryId]);
    if (known) em.assign(known, given({ name, rootCategoryId }));
    else
      em.create(StoreGroup, {
        groupId: await nextId(em, 'storeGroup'),
        code,
        websiteId: websiteId ?? 0,
        name: name ?? code,
        rootCategoryId: rootCategoryId ?? rootCategory,
      });
    await em.flush();
  },
  async remove(em, code) {
    const { groupId } = await em.findOneOrFail(StoreGroup, { code });
    await refuseWhileNeeded(em, usesOfGroup, { id: groupId, what: `store group ${code}` });
    await em.nativeDelete(StoreGroup, { groupId });
  },
};

export const storeViews: Keeper<'storeView'> = {
  async save(em, { name: code, fields: { website, group, ...fields } }) {
    const known = await em.findOne(StoreView, { code });
    const websiteId = website === undefined ? known?.websiteId : await websiteOf(em, website);
    if (known && websiteId !== known.websiteId)
      await refuseWhileNeeded(em, usesOfView, { id: known.storeId, what: `the website of store view ${code}` });
    const storeGroupId = group === undefined ? undefined : await groupOf(em, group);
    if (known) em.assign(known, given({ websiteId, storeGroupId, ...fields }));
    else
      em.create(StoreView, {
        storeId: await nextId(em, 'storeView'),
        code,
        websiteId: websiteId ?? 0,
        storeGroupId: storeGroupId ?? 0,
        name: fields.name ?? code,
        currencyCode: fields.currencyCode ?? '',
        ...given({
          isActive: fields.isActive,
          currencyRate: fields.currencyRate,
          locale: fields.locale,
          sortOrder: fields.sortOrder,
        }),
      });
    await em.flush();
  },
  async remove(em, code) {
    const { storeId } = await em.findOneOrFail(StoreView, { code });
    await refuseWhileNeeded(em, usesOfView, { id: storeId, what: `store view ${code}` });
    await forgetView(em, storeId);
    await em.nativeDelete(StoreView, { storeId });
  },
};

/** Sets the default group of each website and the default view of each group, when all of them exist. */
export async function pointDefaults(
  em: EntityManager,
  {
    groupOfWebsite,
    viewOfGroup,
  }: { groupOfWebsite: ReadonlyMap<string, string>; viewOfGroup: ReadonlyMap<string, string> },
): Promise<void> {
  for (const [code, group] of groupOfWebsite)
    await em.nativeUpdate(Website, { code }, { defaultGroupId: await groupOf(em, group) });
  for (const [code, view] of viewOfGroup)
    await em.nativeUpdate(StoreGroup, { code }, { defaultStoreId: await viewOf(em, view) });
}

export async function websiteOf(em: EntityManager, code: string): Promise<number> {
  const website = await em.findOne(Website, { code, websiteId: { $gt: 0 } });
  if (!website) throw invalid('No website has the code %1.', [code]);
  return website.websiteId;
}

export async function viewOf(em: EntityManager, code: string): Promise<number> {
  const view = await em.findOne(StoreView, { code, storeId: { $gt: 0 } });
  if (!view) throw invalid('No store view has the code %1.', [code]);
  return view.storeId;
}

async function groupOf(em: EntityManager, code: string): Promise<number> {
  const group = await em.findOne(StoreGroup, { code, groupId: { $gt: 0 } });
  if (!group) throw invalid('No store group has the code %1.', [code]);
  return group.groupId;
}
