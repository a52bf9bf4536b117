import { beforeAll, expect, test } from '@jest/globals';
import { aShop } from '../support/builders/shop.ts';
import { describeCrud, type CrudNoun } from '../support/describe-crud.ts';
import { useApi } from '../support/fixtures.ts';
import { eightAtOnce } from '../support/rivals.ts';

const inPath = (path: string) => ({ one: (id: number) => `${path}/${id}`, update: (id: number) => `${path}/${id}` });
const inBody = (path: string) => ({ one: (id: number) => `${path}/${id}`, update: () => path });

const tooLong = 'x'.repeat(2_000);

const aRate = (made: number) => ({ tax_country_id: 'DE', tax_postcode: '*', rate: 19, code: `rate ${made}` });
const aRule = (made: number) => ({
  ...{ code: `rule ${made}`, priority: 0, position: 0, customer_tax_class_ids: [3] },
  ...{ product_tax_class_ids: [2], tax_rate_ids: [rateId] },
});

let rateId = 0;
let promotionId = 0;

const nouns: Record<string, CrudNoun> = {
  'a tax class': {
    ...{ list: '/V1/taxClasses/search', create: '/V1/taxClasses', body: 'taxClass', id: 'class_id' },
    ...inPath('/V1/taxClasses'),
    fresh: (made) => ({ class_name: `class ${made}`, class_type: 'PRODUCT' }),
    change: (made) => ({ class_name: `renamed ${made}`, class_type: 'PRODUCT' }),
    idIn: Number,
    tooLong: { class_name: tooLong },
  },
  'a tax rate': {
    ...{ list: '/V1/taxRates/search', create: '/V1/taxRates', body: 'taxRate', id: 'id' },
    ...inBody('/V1/taxRates'),
    fresh: aRate,
    change: (made) => ({ ...aRate(made), rate: 7 }),
    tooLong: { code: tooLong },
  },
  'a tax rule': {
    ...{ list: '/V1/taxRules/search', create: '/V1/taxRules', body: 'rule', id: 'id' },
    ...inBody('/V1/taxRules'),
    fresh: aRule,
    change: (made) => ({ ...aRule(made), priority: 4 }),
    tooLong: { code: tooLong },
  },
  'a group of customers': {
    ...{ list: '/V1/customerGroups/search', create: '/V1/customerGroups', body: 'group', id: 'id' },
    ...inPath('/V1/customerGroups'),
    fresh: (made) => ({ code: `group ${made}` }),
    change: (made) => ({ code: `renamed ${made}` }),
    tooLong: { code: tooLong },
  },
  'a stock': {
    ...{ list: '/V1/inventory/stocks', create: '/V1/inventory/stocks', body: 'stock', id: 'stock_id' },
    ...inPath('/V1/inventory/stocks'),
    fresh: (made) => ({ name: `stock ${made}` }),
    change: (made) => ({ name: `renamed ${made}` }),
    idIn: Number,
    deleted: [],
    tooLong: { name: tooLong },
  },
  'a promotion': {
    ...{ list: '/V1/salesRules/search', create: '/V1/salesRules', body: 'rule', id: 'rule_id' },
    ...inPath('/V1/salesRules'),
    fresh: (made) => ({ name: `promotion ${made}`, website_ids: [1], customer_group_ids: [1] }),
    change: () => ({ discount_amount: 12.5 }),
    tooLong: { name: tooLong },
  },
  'an attribute set': {
    ...{ list: '/V1/products/attribute-sets/sets/list', create: '/V1/products/attribute-sets' },
    ...{ body: 'attributeSet', id: 'attribute_set_id', beside: { skeletonId: 4 } },
    ...inPath('/V1/products/attribute-sets'),
    fresh: (made) => ({ attribute_set_name: `set ${made}`, sort_order: 3 }),
    change: (made) => ({ attribute_set_name: `renamed ${made}`, sort_order: 4 }),
    grows: true,
    tooLong: { attribute_set_name: tooLong },
  },
  'a coupon': {
    ...{ list: '/V1/coupons/search', create: '/V1/coupons', body: 'coupon', id: 'coupon_id' },
    ...inPath('/V1/coupons'),
    fresh: (made) => ({ rule_id: promotionId, code: `COUPON${made}` }),
    change: (made) => ({ code: `OTHER${made}` }),
    tooLong: { code: tooLong },
  },
  'a location': {
    ...{ list: '/V1/pos/locations', create: '/V1/pos/locations', body: 'location', id: 'location_id' },
    ...inPath('/V1/pos/locations'),
    fresh: (made) => ({ name: 'Kiosk', code: `kiosk-${made}` }),
    change: () => ({ receipt_header: 'Thank you' }),
    tooLong: { name: tooLong },
  },
  'a role': {
    ...{ list: '/V1/pos/roles', create: '/V1/pos/roles', body: 'role', id: 'role_id' },
    ...inPath('/V1/pos/roles'),
    fresh: (made) => ({ name: `role ${made}` }),
    change: () => ({ permissions: '{"place_orders":true}' }),
    tooLong: { name: tooLong },
  },
  'a terminal': {
    ...{ list: '/V1/pos/terminals', create: '/V1/pos/terminals', body: 'terminal', id: 'terminal_id' },
    ...inPath('/V1/pos/terminals'),
    fresh: (made) => ({ name: `till ${made}` }),
    isPrivate: true,
    change: () => ({ is_active: false }),
    tooLong: { name: tooLong },
  },
};

const api = useApi();
beforeAll(async () => {
  await aShop(api.orm.em.fork());
  rateId = (await send('POST', '/V1/taxRates', { taxRate: aRate(0) })).body.id;
  const promotion = {
    name: 'With a coupon',
    website_ids: [1],
    customer_group_ids: [1],
    coupon_type: 'SPECIFIC_COUPON',
  };
  promotionId = (await send('POST', '/V1/salesRules', { rule: promotion })).body.rule_id;
});

const send = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

for (const [name, noun] of Object.entries(nouns)) describeCrud(name, noun, api);

test('of eight locations with one code one is opened', async () => {
  const answers = await eightAtOnce(() =>
    send('POST', '/V1/pos/locations', { location: { name: 'Pier', code: 'pier' } }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
});
