import type { EntityManager } from '@mikro-orm/postgresql';
import { Location } from '../../../db/locations/location.entity.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { SourceItem, Source, Stock, StockSourceLink } from '../../../db/platform/inventory/stock.entity.ts';
import { StoreView, Website } from '../../../db/platform/stores/store.entity.ts';
import { money, pieces } from '../../../domain/money.ts';

/**
 * The smallest shop that can sell: website `base` (USD) with the views `default` and `ca` (CAD at 1.36), one stock, two
 * sources (`floor`, `damaged`), one location, and mugs (`MUG`, 100 on the floor), plates (`PLATE`), a virtual
 * `GIFTWRAP`.
 */
export async function aShop(em: EntityManager) {
  em.create(Website, {
    websiteId: 1,
    code: 'base',
    name: 'Main Website',
    defaultGroupId: 1,
    baseCurrencyCode: 'USD',
    isDefault: true,
  });
  em.create(StoreView, {
    storeId: 1,
    websiteId: 1,
    storeGroupId: 1,
    code: 'default',
    name: 'Default Store View',
    currencyCode: 'USD',
  });
  em.create(StoreView, {
    storeId: 2,
    websiteId: 1,
    storeGroupId: 1,
    code: 'ca',
    name: 'Canada',
    currencyCode: 'CAD',
    currencyRate: '1.36',
  });
  em.create(Source, { sourceCode: 'floor', name: 'Shop floor', countryId: 'US' });
  em.create(Source, { sourceCode: 'damaged', name: 'Damaged goods', countryId: 'US' });
  const stock = em.create(Stock, { name: 'Shop', websiteCodes: ['base'] });
  await em.flush();
  em.create(StockSourceLink, { stockId: stock.stockId, sourceCode: 'floor', priority: 1 });
  const mug = em.create(Product, { attributeSetId: 4, sku: 'MUG', name: 'Mug', price: money('50'), websiteIds: [1] });
  const plate = em.create(Product, {
    attributeSetId: 4,
    sku: 'PLATE',
    name: 'Plate',
    price: money('33.33'),
    websiteIds: [1],
  });
  const giftWrap = em.create(Product, {
    attributeSetId: 4,
    sku: 'GIFTWRAP',
    name: 'Gift wrap',
    price: money('5'),
    typeId: 'virtual',
    websiteIds: [1],
    manageStock: false,
  });
  em.create(SourceItem, { sku: 'MUG', sourceCode: 'floor', quantity: pieces(100) });
  em.create(SourceItem, { sku: 'PLATE', sourceCode: 'floor', quantity: pieces(100) });
  const location = em.create(Location, {
    name: 'High Street',
    code: 'high-street',
    websiteId: 1,
    sourceCode: 'floor',
    damagedStockSourceCode: 'damaged',
  });
  await em.flush();
  return { websiteId: 1, storeId: 1, stockId: stock.stockId, locationId: location.locationId, mug, plate, giftWrap };
}
