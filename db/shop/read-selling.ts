import type { EntityManager } from '@mikro-orm/postgresql';
import { regionCode } from '../../domain/platform/directory/region-codes.ts';
import type { ShopRecord } from '../../domain/shop/shop-records.ts';
import { CustomerGroup } from '../platform/customers/customer-group.entity.ts';
import { Source } from '../platform/inventory/source.entity.ts';
import { Stock, StockSourceLink } from '../platform/inventory/stock.entity.ts';
import { StoreGroup } from '../platform/stores/store-group.entity.ts';
import { StoreView } from '../platform/stores/store-view.entity.ts';
import { Website } from '../platform/stores/website.entity.ts';
import { readTaxesOnGoods } from '../platform/tax/tax-goods.ts';
import { placeOf } from './place-of.ts';
import { taxRateName } from '../../domain/shop/tax-rate-name.ts';

/** Websites with their groups and views. The administrators' scope is left out: every database has it. */
export async function readStores(em: EntityManager): Promise<ShopRecord[]> {
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
export async function readInventory(em: EntityManager): Promise<ShopRecord[]> {
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
