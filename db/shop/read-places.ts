import type { EntityManager } from '@mikro-orm/postgresql';
import { shopSettings } from '../../domain/shop/kept-settings.ts';
import type { ShopRecord } from '../../domain/shop/shop-records.ts';
import { Location } from '../locations/location.entity.ts';
import { AdminUser } from '../platform/access/admin-user.entity.ts';
import { ConfigValue } from '../platform/stores/config-value.entity.ts';
import { StoreView } from '../platform/stores/store-view.entity.ts';
import { Website } from '../platform/stores/website.entity.ts';
import { Role } from '../staff/role.entity.ts';
import { Staff, StaffLocation } from '../staff/staff.entity.ts';
import { Terminal } from '../terminals/terminal.entity.ts';
import { placeOf } from './place-of.ts';

/** What the merchant set in each scope, without secrets. */
export async function readSettings(em: EntityManager): Promise<ShopRecord[]> {
  const rows = await em.find(
    ConfigValue,
    { path: { $in: [...shopSettings] }, isEncrypted: false },
    { orderBy: { scope: 'asc', scopeId: 'asc', path: 'asc' } },
  );
  const { websiteCode, viewCode } = await scopeCodes(em);
  return rows.flatMap(({ scope, scopeId, path, value }): ShopRecord[] => {
    const code = scope === 'websites' ? websiteCode(scopeId) : viewCode(scopeId);
    // A setting of a deleted website or view has no effect.
    if (scope !== 'default' && code === null) return [];
    const where = scope === 'default' ? 'default' : `${scope === 'websites' ? 'website' : 'store view'} ${code}`;
    return [{ kind: 'setting', name: `${where} ${path}`, fields: { scope: where, path, value: value ?? '' } }];
  });
}

/** Roles, locations and registers. */
export async function readPlaces(em: EntityManager): Promise<ShopRecord[]> {
  const roles = await em.find(Role, {}, { orderBy: { roleId: 'asc' } });
  const locations = await em.find(Location, {}, { orderBy: { locationId: 'asc' } });
  const terminals = await em.find(Terminal, {}, { orderBy: { terminalId: 'asc' } });
  const { websiteCode, viewCode } = await scopeCodes(em);
  const codeOf = (id: number) => locations.find(({ locationId }) => locationId === id)?.code ?? '';
  return [
    ...roles.map(({ name, permissions, isActive }): ShopRecord => ({
      kind: 'role',
      name,
      fields: { permissions: granted(permissions), isActive },
    })),
    ...locations.map((location): ShopRecord => ({
      kind: 'location',
      name: location.code,
      fields: {
        name: location.name,
        website: websiteCode(location.websiteId),
        storeView: viewCode(location.storeViewId ?? 0),
        source: location.sourceCode ?? null,
        damagedSource: location.damagedStockSourceCode ?? null,
        isActive: location.isActive,
        ...placeOf(location),
        vatNumber: location.vatNumber ?? null,
        paymentMethods: location.paymentMethods ?? null,
        receiptHeader: location.receiptHeader ?? null,
        receiptFooter: location.receiptFooter ?? null,
        configOverrides: location.configOverrides,
      },
    })),
    // A register without a location is not part of a shop file.
    ...terminals
      .filter(({ locationId }) => typeof locationId === 'number')
      .map(({ name, locationId, isActive, configOverrides }): ShopRecord => ({
        kind: 'terminal',
        name,
        fields: { location: codeOf(locationId ?? 0), isActive, configOverrides },
      })),
  ];
}

/** The people at the registers, without their passcodes. */
export async function readStaff(em: EntityManager): Promise<ShopRecord[]> {
  const people = await em.find(Staff, {}, { orderBy: { staffId: 'asc' } });
  const roles = await em.find(Role, {});
  const locations = await em.find(Location, {});
  const places = await em.find(StaffLocation, {});
  return people.map(({ staffId, email, firstName, lastName, roleId, allLocations, isActive }) => ({
    kind: 'staff',
    name: email,
    fields: {
      ...{ firstName, lastName, allLocations, isActive },
      role: roles.find((role) => role.roleId === roleId)?.name ?? '',
      locations: places
        .filter((place) => place.staffId === staffId)
        .flatMap((place) => locations.find(({ locationId }) => locationId === place.locationId)?.code ?? [])
        .toSorted(),
    },
  }));
}

/** The administrators with their rights, without secrets. */
export async function readAdministrators(em: EntityManager): Promise<ShopRecord[]> {
  const users = await em.find(AdminUser, {}, { orderBy: { userId: 'asc' } });
  return users.map(({ username, email, firstName, lastName, resources, isActive }) => ({
    kind: 'administrator',
    name: username,
    fields: { email, firstName, lastName, resources: (resources ?? []).toSorted(), isActive },
  }));
}

async function scopeCodes(em: EntityManager) {
  const websites = await em.find(Website, { websiteId: { $gt: 0 } });
  const views = await em.find(StoreView, { storeId: { $gt: 0 } });
  return {
    websiteCode: (id: number) => websites.find(({ websiteId }) => websiteId === id)?.code ?? null,
    viewCode: (id: number) => views.find(({ storeId }) => storeId === id)?.code ?? null,
  };
}

/** The granted permissions, in alphabetical order. */
function granted(permissions: string): string[] {
  const keys: unknown = JSON.parse(permissions);
  return typeof keys === 'object' && keys !== null
    ? Object.entries(keys)
        .flatMap(([key, isGiven]) => (isGiven === true ? [key] : []))
        .toSorted()
    : [];
}
