import type { EntityManager } from '@mikro-orm/postgresql';
import { hasOptions, isOfPlatform, type StoreLabel } from '../../domain/platform/catalog/product-attributes.ts';
import { regionCode } from '../../domain/platform/directory.ts';
import { shopSettings, taxRateName, type PlaceFields, type ShopRecord } from '../../domain/shop.ts';
import { Location } from '../locations/location.entity.ts';
import { AdminUser } from '../platform/access/access.entity.ts';
import {
  AttributeGroup,
  AttributeInSet,
  AttributeSet,
  ProductAttributeOption,
  ProductAttributeRow,
} from '../platform/catalog/product.entity.ts';
import { CustomerGroup } from '../platform/customers/customer.entity.ts';
import { Source, Stock, StockSourceLink } from '../platform/inventory/stock.entity.ts';
import { ConfigValue, StoreGroup, StoreView, Website } from '../platform/stores/store.entity.ts';
import { readTaxesOnGoods } from '../platform/tax/tax-goods.ts';
import { Role, Staff, StaffLocation } from '../staff/staff.entity.ts';
import { Terminal } from '../terminals/terminal.entity.ts';

/** Attributes with their options, and attribute sets with their groups. */
const readCatalog = async (em: EntityManager): Promise<ShopRecord[]> => [
  ...(await readAttributes(em)),
  ...(await readSets(em)),
];

/** The shop's own, and those of the platform's of which the shop keeps something. */
async function readAttributes(em: EntityManager): Promise<ShopRecord[]> {
  const rows = await em.find(ProductAttributeRow, {}, { orderBy: { attributeId: 'asc' } });
  const options = await em.find(ProductAttributeOption, {}, { orderBy: { sortOrder: 'asc', optionId: 'asc' } });
  const views = await em.find(StoreView, {}, { orderBy: { storeId: 'asc' } });
  const byView = (labels: readonly StoreLabel[]) =>
    Object.fromEntries(
      labels.flatMap(({ storeId, label }) => {
        const view = views.find((one) => one.storeId === storeId);
        return view ? [[view.code, label] as const] : [];
      }),
    );
  return rows.map((row): ShopRecord => {
    const own = options.filter(({ attribute }) => attribute.attributeId === row.attributeId);
    const { default_value: usual, ...others } = row.settings;
    const isChoice = hasOptions(row.frontendInput);
    const chosen = (usual ?? '').split(',');
    return {
      kind: 'attribute',
      name: row.attributeCode,
      fields: {
        ...(isOfPlatform(row.attributeCode)
          ? {}
          : { input: row.frontendInput, scope: row.scope, isRequired: row.isRequired, isUnique: row.isUnique }),
        ...(row.label === null || row.label === undefined ? {} : { label: row.label }),
        labels: byView(row.storeLabels),
        settings: isChoice ? others : row.settings,
        ...(isChoice
          ? {
              options: own.map(({ label, storeLabels }) => ({ label, labels: byView(storeLabels) })),
              defaults: chosen.flatMap((id) => own.find(({ optionId }) => String(optionId) === id)?.label ?? []),
            }
          : {}),
      },
    };
  });
}

async function readSets(em: EntityManager): Promise<ShopRecord[]> {
  const sets = await em.find(AttributeSet, {}, { orderBy: { attributeSetId: 'asc' } });
  const groups = await em.find(AttributeGroup, {}, { orderBy: { sortOrder: 'asc', attributeGroupId: 'asc' } });
  const placed = await em.find(AttributeInSet, {}, { orderBy: { sortOrder: 'asc', entityAttributeId: 'asc' } });
  return sets.map(({ attributeSetId: id, attributeSetName, sortOrder }): ShopRecord => ({
    kind: 'attributeSet',
    name: attributeSetName,
    fields: {
      sortOrder,
      groups: groups
        .filter(({ attributeSetId }) => attributeSetId === id)
        .map((group) => ({
          ...{ code: group.attributeGroupCode, name: group.attributeGroupName, sortOrder: group.sortOrder },
          attributes: placed
            .filter((place) => place.group.attributeGroupId === group.attributeGroupId)
            .map(({ attributeCode }) => attributeCode),
        })),
    },
  }));
}

interface StoredPlace {
  countryId?: string | null | undefined;
  regionId?: number | null | undefined;
  region?: string | null | undefined;
  city?: string | null | undefined;
  street?: string | null | undefined;
  postcode?: string | null | undefined;
  phone?: string | null | undefined;
}

/** The address of a source or a location as a shop file writes it. */
const placeOf = ({ countryId, regionId, region, city, street, postcode, phone }: StoredPlace): PlaceFields => ({
  countryId: countryId ?? null,
  region: regionCode({ regionId: regionId ?? null, region: region ?? null }),
  city: city ?? null,
  street: street ?? null,
  postcode: postcode ?? null,
  phone: phone ?? null,
});

/** What the merchant set in each scope, without secrets. */
async function readSettings(em: EntityManager): Promise<ShopRecord[]> {
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
async function readPlaces(em: EntityManager): Promise<ShopRecord[]> {
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
async function readStaff(em: EntityManager): Promise<ShopRecord[]> {
  const people = await em.find(Staff, {}, { orderBy: { staffId: 'asc' } });
  const roles = await em.find(Role, {});
  const places = await em.find(StaffLocation, {}, { populate: ['location'] });
  return people.map(({ staffId, email, firstName, lastName, roleId, allLocations, isActive }) => ({
    kind: 'staff',
    name: email,
    fields: {
      ...{ firstName, lastName, allLocations, isActive },
      role: roles.find((role) => role.roleId === roleId)?.name ?? '',
      locations: places
        .filter((place) => place.staff.staffId === staffId)
        .map((place) => place.location.code)
        .toSorted(),
    },
  }));
}

/** The administrators with their rights, without secrets. */
async function readAdministrators(em: EntityManager): Promise<ShopRecord[]> {
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
        .flatMap(([key, isPresent]) => (isPresent === true ? [key] : []))
        .toSorted()
    : [];
}

/** Websites with their groups and views. The administrators' scope is left out: every database has it. */
async function readStores(em: EntityManager): Promise<ShopRecord[]> {
  const websites = await em.find(Website, { websiteId: { $gt: 0 } }, { orderBy: { websiteId: 'asc' } });
  const groups = await em.find(StoreGroup, { groupId: { $gt: 0 } }, { orderBy: { groupId: 'asc' } });
  const views = await em.find(StoreView, { storeId: { $gt: 0 } }, { orderBy: { sortOrder: 'asc', storeId: 'asc' } });
  const websiteCode = (id: number) => websites.find(({ websiteId }) => websiteId === id)?.code ?? '';
  const groupCode = (id: number) => groups.find(({ groupId }) => groupId === id)?.code ?? null;
  const viewCode = (id: number) => views.find(({ storeId }) => storeId === id)?.code ?? null;
  return [
    ...websites.map(({ code, name, baseCurrencyCode, timeZone, isDefault, defaultGroupId }): ShopRecord => ({
      kind: 'website',
      name: code,
      fields: { name, baseCurrencyCode, timeZone, isDefault, defaultGroup: groupCode(defaultGroupId) },
    })),
    ...groups.map(({ code, name, websiteId, rootCategoryId, defaultStoreId }): ShopRecord => ({
      kind: 'storeGroup',
      name: code,
      fields: { website: websiteCode(websiteId), name, rootCategoryId, defaultView: viewCode(defaultStoreId) },
    })),
    ...views.map(
      ({
        code,
        websiteId,
        storeGroupId,
        name,
        isActive,
        currencyCode,
        currencyRate,
        locale,
        sortOrder,
      }): ShopRecord => ({
        kind: 'storeView',
        name: code,
        fields: {
          website: websiteCode(websiteId),
          group: groupCode(storeGroupId) ?? '',
          name,
          isActive,
          currencyCode,
          currencyRate: plainDecimal(currencyRate),
          locale,
          sortOrder,
        },
      }),
    ),
  ];
}

/** Sources, and stocks with their sources in the order in which they sell. */
async function readInventory(em: EntityManager): Promise<ShopRecord[]> {
  const sources = await em.find(Source, {}, { orderBy: { sourceCode: 'asc' } });
  const stocks = await em.find(Stock, {}, { orderBy: { stockId: 'asc' } });
  const links = await em.find(StockSourceLink, {}, { orderBy: { priority: 'asc', sourceCode: 'asc' } });
  return [
    ...sources.map((source): ShopRecord => ({
      kind: 'source',
      name: source.sourceCode,
      fields: {
        name: source.name,
        isEnabled: source.isEnabled,
        ...placeOf(source),
        email: source.email ?? null,
        contactName: source.contactName ?? null,
      },
    })),
    ...stocks.map(({ stockId, name, websiteCodes }): ShopRecord => ({
      kind: 'stock',
      name,
      fields: {
        websites: websiteCodes.toSorted(),
        sources: links.filter((link) => link.stockId === stockId).map(({ sourceCode }) => sourceCode),
      },
    })),
  ];
}

/** Tax rates and customer groups. */
export async function readTerms(em: EntityManager): Promise<ShopRecord[]> {
  const rates = await readTaxesOnGoods(em);
  const groups = await em.find(CustomerGroup, {}, { orderBy: { id: 'asc' } });
  return [
    ...rates.map(({ code, taxClassId, countryId, regionId, percent }): ShopRecord => {
      const region = regionCode({ regionId });
      return {
        kind: 'taxRate',
        name: taxRateName({ countryId, region, taxClassId }),
        fields: { code, taxClassId, countryId, region, percent: plainDecimal(percent) },
      };
    }),
    ...groups.map(({ code, taxClassId }): ShopRecord => ({
      kind: 'customerGroup',
      name: code,
      fields: { taxClassId },
    })),
  ];
}

/** Writes PostgreSQL's decimal `8.0000` as `8`. */
function plainDecimal(value: string): string {
  if (!value.includes('.')) return value;
  let end = value.length;
  while (value[end - 1] === '0') end--;
  return value.slice(0, value[end - 1] === '.' ? end - 1 : end);
}

/** The shop as a shop file describes it: names instead of ids, without secrets and without sales. */
export async function readShop(em: EntityManager): Promise<ShopRecord[]> {
  return [
    ...(await readStores(em)),
    ...(await readInventory(em)),
    ...(await readTerms(em)),
    ...(await readCatalog(em)),
    ...(await readSettings(em)),
    ...(await readPlaces(em)),
    ...(await readStaff(em)),
    ...(await readAdministrators(em)),
  ];
}
