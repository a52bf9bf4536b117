import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { regionOf } from '../../domain/platform/directory/region-codes.ts';
import { setConfigValue } from '../configuration/set-config-value.ts';
import { Location } from '../locations/location.entity.ts';
import { locations as allLocations } from '../locations/locations.ts';
import { Role } from '../staff/role.entity.ts';
import { roles as allRoles } from '../staff/roles.ts';
import { deleteTerminal } from '../terminals/delete-terminal.ts';
import { saveTerminal } from '../terminals/save-terminal.ts';
import { Terminal } from '../terminals/terminal.entity.ts';
import type { Keeper } from './keeper.ts';
import { viewOf, websiteOf } from './keep-stores.ts';

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
    const wish = {
      ...fields,
      ...(fields.configOverrides === undefined ? {} : { configOverrides: { ...fields.configOverrides } }),
      code,
      ...(website === undefined ? {} : { websiteId: website === null ? 0 : await websiteOf(em, website) }),
      ...(storeView === undefined ? {} : { storeViewId: storeView === null ? null : await viewOf(em, storeView) }),
      ...(source === undefined ? {} : { sourceCode: source }),
      ...(damagedSource === undefined ? {} : { damagedStockSourceCode: damagedSource }),
      ...(region === undefined ? {} : regionOf(country, region)),
    };
    await allLocations.save(em, { id: known?.locationId, draft: wish, by });
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
    if (at === null) throw invalid('No location has the code %1.', [location]);
    const wish = {
      name,
      locationId: at?.locationId,
      isActive,
      configOverrides: configOverrides === undefined ? undefined : { ...configOverrides },
    };
    await saveTerminal(em, known?.terminalId, wish, by);
  },
  async remove(em, name, { by }) {
    const { terminalId, deviceIdentifier } = await em.findOneOrFail(Terminal, { name });
    if (deviceIdentifier) throw invalid('Terminal %1 is in use by a device; release it first.', [name]);
    await deleteTerminal(em, { terminalId, by });
  },
};
