import type { EntityManager } from '@mikro-orm/postgresql';
import { Location } from '../../db/locations/location.entity.ts';
import { Source } from '../../db/platform/inventory/source.entity.ts';
import { Stock, StockSourceLink } from '../../db/platform/inventory/stock.entity.ts';
import { goOnAfter } from './go-on-after.ts';

/** The three shops: each with a source to sell from and a source for damaged goods, which no stock sells. */
export const places = [
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
