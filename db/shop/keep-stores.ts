import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { regionOf } from '../../domain/platform/directory.ts';
import { noLocationHasCode } from '../../domain/refusals/register.ts';
import { setConfigValue } from '../configuration/set-config-value.ts';
import { Location } from '../locations/location.entity.ts';
import { locations as allLocations } from '../locations/locations.ts';
import { Category } from '../platform/categories/category.entity.ts';
import { StoreGroup, StoreView, Website } from '../platform/stores/store.entity.ts';
import { roles as allRoles } from '../staff/roles.ts';
import { Role } from '../staff/staff.entity.ts';
import { definedFields } from '../support/defined-fields.ts';
import { deleteTerminal } from '../terminals/delete-terminal.ts';
import { saveTerminal } from '../terminals/save-terminal.ts';
import { Terminal } from '../terminals/terminal.entity.ts';
import {
  forgetView,
  forgetWebsite,
  nextId,
  refuseWhileNeeded,
  usesOfGroup,
  usesOfView,
  usesOfWebsite,
  type Keeper,
} from './keep-ids.ts';

/** The root category of a group that names none. */
const rootCategory = 2;

export const websites: Keeper<'website'> = {
  async save(em, { name: code, fields }) {
    const { name, baseCurrencyCode, timeZone, isDefault } = fields;
    const known = await em.findOne(Website, { code });
    if (known && baseCurrencyCode !== undefined && baseCurrencyCode !== known.baseCurrencyCode)
      await refuseWhileNeeded(em, usesOfWebsite, { id: known.websiteId, what: `the currency of website ${code}` });
    if (isDefault === true) await em.nativeUpdate(Website, { code: { $ne: code } }, { isDefault: false });
    if (known) em.assign(known, definedFields({ name, baseCurrencyCode, timeZone, isDefault }));
    else
      em.create(Website, {
        websiteId: await nextId(em, 'website'),
        code,
        name: name ?? code,
        baseCurrencyCode: baseCurrencyCode ?? '',
        ...definedFields({ timeZone, isDefault }),
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
    if (known) em.assign(known, definedFields({ name, rootCategoryId }));
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
    if (known) em.assign(known, definedFields({ websiteId, storeGroupId, ...fields }));
    else
      em.create(StoreView, {
        storeId: await nextId(em, 'storeView'),
        code,
        websiteId: websiteId ?? 0,
        storeGroupId: storeGroupId ?? 0,
        name: fields.name ?? code,
        currencyCode: fields.currencyCode ?? '',
        ...definedFields({
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

async function websiteOf(em: EntityManager, code: string): Promise<number> {
  const website = await em.findOne(Website, { code, websiteId: { $gt: 0 } });
  if (!website) throw invalid('No website has the code %1.', [code]);
  return website.websiteId;
}

async function viewOf(em: EntityManager, code: string): Promise<number> {
  const view = await em.findOne(StoreView, { code, storeId: { $gt: 0 } });
  if (!view) throw invalid('No store view has the code %1.', [code]);
  return view.storeId;
}

async function groupOf(em: EntityManager, code: string): Promise<number> {
  const group = await em.findOne(StoreGroup, { code, groupId: { $gt: 0 } });
  if (!group) throw invalid('No store group has the code %1.', [code]);
  return group.groupId;
}

export const settings: Keeper<'setting'> = {
  async save(em, { name, fields: { value } }, { box }) {
    if (value !== undefined) await setConfigValue(em, box, { ...(await scopeOf(em, name)), value });
  },
  async remove(em, name, { box }) {
    await setConfigValue(em, box, { ...(await scopeOf(em, name)), value: null });
  },
};

/** Finds the scope in `default a/b/c`, `website base a/b/c` or `store view ca a/b/c`. */
async function scopeOf(em: EntityManager, name: string) {
  const words = name.split(' ');
  const path = words.at(-1) ?? '';
  const code = words.at(-2) ?? '';
  if (words[0] === 'website') return { path, scope: 'websites', scopeId: await websiteOf(em, code) } as const;
  if (words[0] === 'store') return { path, scope: 'stores', scopeId: await viewOf(em, code) } as const;
  return { path, scope: 'default', scopeId: 0 } as const;
}

export const roles: Keeper<'role'> = {
  async save(em, { name, fields: { permissions, isActive } }, { by }) {
    const granted =
      permissions === undefined ? undefined : JSON.stringify(Object.fromEntries(permissions.map((key) => [key, true])));
    const known = await em.findOne(Role, { name });
    await allRoles.save(em, { id: known?.roleId, draft: { name, permissions: granted, isActive }, by });
  },
  async remove(em, name, { by }) {
    const { roleId } = await em.findOneOrFail(Role, { name });
    await allRoles.remove(em, roleId, by);
  },
};

export const locations: Keeper<'location'> = {
  async save(em, { name: code, fields: { website, storeView, source, damagedSource, region, ...fields } }, { by }) {
    const known = await em.findOne(Location, { code });
    const country = fields.countryId === undefined ? known?.countryId : fields.countryId;
    const input = {
      ...fields,
      ...(fields.configOverrides === undefined ? {} : { configOverrides: { ...fields.configOverrides } }),
      code,
      ...(website === undefined ? {} : { websiteId: website === null ? 0 : await websiteOf(em, website) }),
      ...(storeView === undefined ? {} : { storeViewId: storeView === null ? null : await viewOf(em, storeView) }),
      ...(source === undefined ? {} : { sourceCode: source }),
      ...(damagedSource === undefined ? {} : { damagedStockSourceCode: damagedSource }),
      ...(region === undefined ? {} : regionOf(country, region)),
    };
    await allLocations.save(em, { id: known?.locationId, draft: input, by });
  },
  async remove(em, code, { by }) {
    const { locationId } = await em.findOneOrFail(Location, { code });
    const terminals = await em.count(Terminal, { locationId });
    if (terminals > 0) throw invalid('This needs location %1 as it is: %2 terminals.', [code, terminals]);
    await allLocations.remove(em, locationId, by);
  },
};

export const terminals: Keeper<'terminal'> = {
  async save(em, { name, fields: { location, isActive, configOverrides } }, { by }) {
    const known = await em.findOne(Terminal, { name });
    const at = location === undefined ? undefined : await em.findOne(Location, { code: location });
    if (at === null) throw noLocationHasCode([location]);
    const input = {
      name,
      locationId: at?.locationId,
      isActive,
      configOverrides: configOverrides === undefined ? undefined : { ...configOverrides },
    };
    await saveTerminal(em, known?.terminalId, input, by);
  },
  async remove(em, name, { by }) {
    const { terminalId, deviceIdentifier } = await em.findOneOrFail(Terminal, { name });
    if (deviceIdentifier) throw invalid('Terminal %1 is in use by a device; release it first.', [name]);
    await deleteTerminal(em, { terminalId, by });
  },
};
