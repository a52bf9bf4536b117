import type { EntityManager } from '@mikro-orm/postgresql';
import { Location } from '../../db/locations/location.entity.ts';
import { Product } from '../../db/platform/catalog/fixed-product-tax.entity.ts';
import { findProductAttribute } from '../../db/platform/catalog/search-product-attributes.ts';
import { Source, Stock, StockSourceLink } from '../../db/platform/inventory/reservation.entity.ts';
import { SalesCoupon, SalesRule } from '../../db/platform/sales-rules/sales-rule.entity.ts';
import { taxGoods } from '../../db/platform/tax/tax-goods.ts';
import { TaxRate } from '../../db/platform/tax/tax.entity.ts';
import { json, text } from '../../db/support/entity-columns.ts';
import { of } from '../../db/support/rows.ts';
import { statement } from '../../db/support/statement.ts';
import { money } from '../../domain/money.ts';
import { demoProducts, ecoFees, seedEngravedMug, shirt } from './products.ts';
import { goOnAfter } from './stores.ts';

/** The platform's tax class of taxable goods. */
const taxableGoods = 2;

/** The rates that the demo sales use: New York, Ontario, Germany. */
const taxRates = [
  { code: 'US-NY', countryId: 'US', regionId: 43, percent: '8' },
  { code: 'CA-ON', countryId: 'CA', regionId: 74, percent: '13' },
  { code: 'DE', countryId: 'DE', regionId: 0, percent: '19' },
].map((rate) => ({ ...rate, taxClassId: taxableGoods }));

/** Ten percent off any cart. */
const coupon = {
  name: 'Ten percent for friends of the shop',
  simpleAction: 'by_percent',
  discountAmount: money('10'),
  couponType: 'SPECIFIC_COUPON',
} as const;
const couponCode = 'LANTERN10';

/** What computing a customer's cart needs. Existing rows stay unchanged. */
async function seedCheckout(em: EntityManager): Promise<void> {
  if ((await em.count(TaxRate)) === 0) for (const rate of taxRates) await taxGoods(em, rate);
  if ((await em.count(SalesCoupon, { code: couponCode })) > 0) return;
  const rule = em.create(SalesRule, coupon);
  await em.flush();
  em.create(SalesCoupon, { ruleId: rule.ruleId, code: couponCode, isPrimary: true });
  await em.flush();
}

/** The three shops: each with a source to sell from and a source for damaged goods, which no stock sells. */
const places = [
  {
    locationId: 1,
    code: 'high-street',
    name: 'High Street',
    source: 'high_street',
    websiteId: 1,
    storeViewId: 1,
    street: '12 High Street',
    city: 'Troy',
    region: 'New York',
    regionId: 43,
    postcode: '12180',
    countryId: 'US',
    phone: '+1 518 555 0112',
    vatNumber: null,
  },
  {
    locationId: 2,
    code: 'riverside',
    name: 'Riverside',
    source: 'riverside',
    websiteId: 1,
    storeViewId: 2,
    street: '4 Riverside Walk',
    city: 'Niagara Falls',
    region: 'Ontario',
    regionId: 74,
    postcode: 'L2E 3K6',
    countryId: 'CA',
    phone: '+1 905 555 0104',
    vatNumber: null,
  },
  {
    locationId: 3,
    code: 'altstadt',
    name: 'Altstadt',
    source: 'altstadt',
    websiteId: 2,
    storeViewId: 3,
    street: 'Marktgasse 7',
    city: 'Berlin',
    region: 'Berlin',
    regionId: 82,
    postcode: '10178',
    countryId: 'DE',
    phone: '+49 30 5550107',
    vatNumber: 'DE999999999',
  },
] as const;

const stocks = [
  { stockId: 1, name: 'Main stock', websiteCodes: ['base'], sources: ['high_street', 'riverside'] },
  { stockId: 2, name: 'European stock', websiteCodes: ['eu'], sources: ['altstadt'] },
];

export const damagedSourceOf = (source: string) => `${source}_damaged`;

/** Sources, stocks and locations. Existing rows stay unchanged. */
export async function seedPlaces(em: EntityManager): Promise<void> {
  const onConflictAction = 'ignore';
  const sources = places.flatMap((place) => [sourceOf(place, ''), sourceOf(place, ' (damaged goods)')]);
  await em.upsertMany(Source, sources, { onConflictFields: ['sourceCode'], onConflictAction });
  await em.upsertMany(
    Stock,
    stocks.map(({ stockId, name, websiteCodes }) => ({ stockId, name, websiteCodes })),
    { onConflictFields: ['stockId'], onConflictAction },
  );
  const links = stocks.flatMap(({ stockId, sources: codes }) =>
    codes.map((sourceCode, index) => ({ stockId, sourceCode, priority: index + 1 })),
  );
  await em.upsertMany(StockSourceLink, links, { onConflictFields: ['stockId', 'sourceCode'], onConflictAction });
  await em.upsertMany(Location, places.map(locationOf), { onConflictFields: ['code'], onConflictAction });
  await goOnStocks.run(em);
  await goOnLocations.run(em);
}

type Place = (typeof places)[number];

function sourceOf({ source, name, street, city, region, regionId, postcode, countryId, phone }: Place, suffix: string) {
  const sourceCode = suffix === '' ? source : damagedSourceOf(source);
  return { sourceCode, name: `${name}${suffix}`, street, city, region, regionId, postcode, countryId, phone };
}

function locationOf({ source, ...place }: Place) {
  return {
    ...place,
    sourceCode: source,
    damagedStockSourceCode: damagedSourceOf(source),
    receiptHeader: `Paper Lantern, ${place.name}`,
    receiptFooter: 'Thank you. Returns within 30 days with this receipt.',
  };
}

const goOnStocks = goOnAfter('inventory_stock', 'stock_id');

const goOnLocations = goOnAfter('pos_location', 'location_id');

/**
 * Everything beside the products: the shirt's sizes and colours, the fees of lamps, stock quantities, taxes and a
 * coupon.
 */
export async function seedGoods(em: EntityManager): Promise<void> {
  await linkShirts(em);
  await seedEngravedMug(em);
  await seedFees(em);
  await seedShelves(em);
  await seedCheckout(em);
}

async function linkShirts(em: EntityManager): Promise<void> {
  const rows = await findShirts.all(em, { sku: shirt.sku });
  const parent = rows.find(({ sku }) => sku === shirt.sku);
  const children = rows.filter(({ sku }) => sku !== shirt.sku);
  const idOf = async (code: string) => String((await findProductAttribute(em, code)).attribute_id);
  const links = {
    configurable_product_options: [
      optionOf({ id: 1, attributeId: await idOf('size'), label: 'Size', position: 0, values: shirt.sizes }),
      optionOf({ id: 2, attributeId: await idOf('color'), label: 'Color', position: 1, values: shirt.colours }),
    ].map((option) => ({ ...option, product_id: parent?.entityId })),
    configurable_product_links: children.map(({ entityId }) => entityId),
  };
  await setLinks.run(em, { links, sku: shirt.sku });
}

const findShirts = statement({
  takes: { sku: text },
  gives: of(Product, 'entityId', 'sku'),
  text: `select entity_id, sku from product where sku = $sku or sku like $sku || '-%' order by entity_id`,
});

const setLinks = statement({
  takes: { links: json<object>(), sku: text },
  text: `
    update product set extension_attributes = extension_attributes || $links
    where sku = $sku and not extension_attributes @> '{"configurable_product_links": []}'`,
});

const optionOf = (option: {
  id: number;
  attributeId: string;
  label: string;
  position: number;
  values: readonly { optionId: number }[];
}) => ({
  id: option.id,
  attribute_id: option.attributeId,
  label: option.label,
  position: option.position,
  values: option.values.map(({ optionId }) => ({ value_index: optionId })),
});

const seedFees = (em: EntityManager) => insertFees.run(em, { fees: ecoFees });

const insertFees = statement({
  takes: { fees: json<typeof ecoFees>() },
  text: `
    insert into fixed_product_tax (product_id, attribute_code, website_id, country_id, region_id, value)
    select p.entity_id, 'eco_fee', 0, fee."countryId", fee."regionId", fee.value
    from product p, jsonb_to_recordset($fees) as fee ("countryId" text, "regionId" integer, value numeric)
    where p.sku like 'LAMP-%'
    on conflict (product_id, attribute_code, website_id, country_id, region_id) do nothing`,
});

/** Stock for managed products: a different quantity at every shop, and none of the rug or the old sign. */
async function seedShelves(em: EntityManager): Promise<void> {
  const rows = demoProducts()
    .filter(({ manageStock }) => manageStock !== false)
    .flatMap(({ sku }, index) =>
      places.map(({ source }, place) => ({
        sku,
        source_code: source,
        quantity: quantityOn(String(sku), index + place),
      })),
    );
  await insertShelves.run(em, { rows });
}

const insertShelves = statement({
  takes: { rows: json<readonly object[]>() },
  text: `
    insert into inventory_source_item (sku, source_code, quantity, status)
    select sku, source_code, quantity, case when quantity > 0 or sku = 'RUG' then 1 else 0 end
    from jsonb_to_recordset($rows) as row (sku text, source_code text, quantity numeric)
    order by sku, source_code
    on conflict (sku, source_code) do nothing`,
});

const emptyShelves: readonly string[] = ['RUG', 'SIGN-OLD'];

const quantityOn = (sku: string, step: number) => (emptyShelves.includes(sku) ? 0 : 200 + ((step * 7) % 40));
