import { expect, test } from 'vitest';
import { priceInCopy, searchCopy, type OfflineCopy } from '../../../local/demo-day/offline-copy.ts';

const copy: OfflineCopy = {
  customersAsOf: new Date('2026-11-23T09:00:00Z'),
  customers: new Map([
    [
      1,
      {
        firstname: 'Chloé',
        lastname: 'Côté',
        email: 'chloe@shop.test',
        addresses: [{ telephone: '+1 (518) 555-0188', company: 'Lamps & Sons' }],
      },
    ],
    [2, { firstname: 'Gustav', lastname: 'Groß', email: 'gustav@shop.test' }],
  ]),
  prices: {
    indexedAt: '2026-11-23T09:00:00.000Z',
    date: '2026-11-23',
    rows: [{ product_id: 3, customer_group_id: 1, rule_price: 53.1 }],
  },
  taxes: {
    tag: 'W/"1"',
    rows: [
      { sku: 'LAMP', country_id: 'US', region_id: 0, value: 2.5 },
      { sku: 'LAMP', country_id: 'US', region_id: 12, value: 4 },
    ],
  },
};

test.each([
  ['chloe cote', ['Chloé']],
  ['CÔTÉ', ['Chloé']],
  ['518 555', ['Chloé']],
  ['5185550188', ['Chloé']],
  ['lamps', ['Chloé']],
  ['GROẞ', ['Gustav']],
  ['gross', ['Gustav']],
  ['shop.test', ['Chloé', 'Gustav']],
  ['nobody', []],
])('a cashier without a line who types "%s" finds %j', (typed, found) => {
  expect(searchCopy(copy, typed).map(({ firstname }) => firstname)).toEqual(found);
});

const lamp = { id: 3, sku: 'LAMP', price: 59 };
test.each([
  ['a group with a promotion', { groupId: 1, countryId: 'US', regionId: 43 }, { price: 53.1, fixedTax: 2.5 }],
  ['a group without one', { groupId: 2, countryId: 'US', regionId: 43 }, { price: 59, fixedTax: 2.5 }],
  ['a region with a tax of its own', { groupId: 1, countryId: 'US', regionId: 12 }, { price: 53.1, fixedTax: 4 }],
  ['a country without one', { groupId: 1, countryId: 'FR', regionId: 0 }, { price: 53.1, fixedTax: 0 }],
])('the copies tell what a piece costs %s', (_, where, expected) => {
  expect(priceInCopy(copy, { product: lamp, ...where })).toEqual(expected);
});
