import { beforeAll, describe, expect, test } from '@jest/globals';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';

/** A kind of record that an administrator edits, and how it is sent. */
interface Noun {
  /** The path of its list, of one of them, of a new one, and of a change. */
  list: string;
  one: (id: number) => string;
  create: string;
  update?: (id: number) => string;
  /** The key of the body. */
  body: string;
  /** The key of its id, where it is answered, sent and searched. */
  id: string;
  /** A new one, never the same twice. */
  fresh: (made: number) => Record<string, unknown>;
  /** What changes of it; more is sent where a change needs all. */
  change: (made: number) => Record<string, unknown>;
  /** What a save answers where it is not the record. */
  idIn?: (answer: unknown) => number;
  /** What a deletion answers. */
  deleted?: unknown;
}

const inPath = (path: string) => ({ one: (id: number) => `${path}/${id}`, update: (id: number) => `${path}/${id}` });
const inBody = (path: string) => ({ one: (id: number) => `${path}/${id}`, update: () => path });

const aRate = (made: number) => ({ tax_country_id: 'DE', tax_postcode: '*', rate: 19, code: `rate ${made}` });
const aRule = (made: number) => ({
  ...{ code: `rule ${made}`, priority: 0, position: 0, customer_tax_class_ids: [3] },
  ...{ product_tax_class_ids: [2], tax_rate_ids: [rateId] },
});

let rateId = 0;
let promotionId = 0;

const nouns: Record<string, Noun> = {
  'a tax class': {
    ...{ list: '/V1/taxClasses/search', create: '/V1/taxClasses', body: 'taxClass', id: 'class_id' },
    ...inPath('/V1/taxClasses'),
    fresh: (made) => ({ class_name: `class ${made}`, class_type: 'PRODUCT' }),
    change: (made) => ({ class_name: `renamed ${made}`, class_type: 'PRODUCT' }),
    idIn: Number,
  },
  'a tax rate': {
    ...{ list: '/V1/taxRates/search', create: '/V1/taxRates', body: 'taxRate', id: 'id' },
    ...inBody('/V1/taxRates'),
    fresh: aRate,
    change: (made) => ({ ...aRate(made), rate: 7 }),
  },
  'a tax rule': {
    ...{ list: '/V1/taxRules/search', create: '/V1/taxRules', body: 'rule', id: 'id' },
    ...inBody('/V1/taxRules'),
    fresh: aRule,
    change: (made) => ({ ...aRule(made), priority: 4 }),
  },
  'a group of customers': {
    ...{ list: '/V1/customerGroups/search', create: '/V1/customerGroups', body: 'group', id: 'id' },
    ...inPath('/V1/customerGroups'),
    fresh: (made) => ({ code: `group ${made}` }),
    change: (made) => ({ code: `renamed ${made}` }),
  },
  'a stock': {
    ...{ list: '/V1/inventory/stocks', create: '/V1/inventory/stocks', body: 'stock', id: 'stock_id' },
    ...inPath('/V1/inventory/stocks'),
    fresh: (made) => ({ name: `stock ${made}` }),
    change: (made) => ({ name: `renamed ${made}` }),
    idIn: Number,
    deleted: [],
  },
  'a promotion': {
    ...{ list: '/V1/salesRules/search', create: '/V1/salesRules', body: 'rule', id: 'rule_id' },
    ...inPath('/V1/salesRules'),
    fresh: (made) => ({ name: `promotion ${made}`, website_ids: [1], customer_group_ids: [1] }),
    change: () => ({ discount_amount: 12.5 }),
  },
  'a coupon': {
    ...{ list: '/V1/coupons/search', create: '/V1/coupons', body: 'coupon', id: 'coupon_id' },
    ...inPath('/V1/coupons'),
    fresh: (made) => ({ rule_id: promotionId, code: `COUPON${made}` }),
    change: (made) => ({ code: `OTHER${made}` }),
  },
  'a location': {
    ...{ list: '/V1/pos/locations', create: '/V1/pos/locations', body: 'location', id: 'location_id' },
    ...inPath('/V1/pos/locations'),
    fresh: (made) => ({ name: 'Kiosk', code: `kiosk-${made}` }),
    change: () => ({ receipt_header: 'Thank you' }),
  },
  'a role': {
    ...{ list: '/V1/pos/roles', create: '/V1/pos/roles', body: 'role', id: 'role_id' },
    ...inPath('/V1/pos/roles'),
    fresh: (made) => ({ name: `role ${made}` }),
    change: () => ({ permissions: '{"place_orders":true}' }),
  },
  'a terminal': {
    ...{ list: '/V1/pos/terminals', create: '/V1/pos/terminals', body: 'terminal', id: 'terminal_id' },
    ...inPath('/V1/pos/terminals'),
    fresh: (made) => ({ name: `till ${made}` }),
    change: () => ({ is_active: false }),
  },
};

const api = useApi();
let made = 0;
beforeAll(async () => {
  await aShop(api.orm.em.fork());
  rateId = (await send('POST', '/V1/taxRates', { taxRate: aRate(++made) })).body.id;
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

const by = (field: string, value: unknown) =>
  `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${String(value)}`;

describe.each(Object.entries(nouns))('%s', (_name, noun) => {
  const create = async () => {
    const { status, body } = await send('POST', noun.create, { [noun.body]: noun.fresh(++made) });
    expect(status).toBe(200);
    return noun.idIn?.(body) ?? Number(body[noun.id]);
  };
  const change = (id: number) =>
    send('PUT', noun.update?.(id) ?? noun.create, {
      [noun.body]: { ...(noun.update?.(id) === noun.create ? { [noun.id]: id } : {}), ...noun.change(made) },
    });

  test('is read as it was saved, and found by its id', async () => {
    const id = await create();
    const { status, body } = await send('GET', noun.one(id));
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...noun.fresh(made), [noun.id]: id });
    const { body: list } = await send('GET', `${noun.list}?${by(noun.id, id)}`);
    expect(list).toMatchObject({ items: [{ ...noun.fresh(made), [noun.id]: id }], total_count: 1 });
  });

  test('that is changed twice in the same way is changed once', async () => {
    const id = await create();
    expect((await change(id)).status).toBe(200);
    const once = (await send('GET', noun.one(id))).body;
    expect(once).toMatchObject(noun.change(made));
    const { updated_at: _first, ...answer } = Object((await change(id)).body);
    const { updated_at: _then, ...twice } = (await send('GET', noun.one(id))).body;
    expect({ ...once, updated_at: undefined }).toEqual({ ...twice, updated_at: undefined });
    if (!noun.idIn) expect(answer).toEqual(twice);
  });

  test('is deleted once; after that it is not there', async () => {
    const id = await create();
    const { status, body } = await send('DELETE', noun.one(id));
    expect({ status, body }).toEqual({ status: 200, body: noun.deleted ?? true });
    expect((await send('DELETE', noun.one(id))).status).toBe(404);
    expect((await send('GET', noun.one(id))).status).toBe(404);
    expect((await change(id)).status).toBe(404);
  });

  test('of which nothing is sent is refused, and none is kept', async () => {
    const count = async () =>
      (await send('GET', `${noun.list}?searchCriteria[current_page]=1`)).body.total_count as number;
    const before = await count();
    expect((await send('POST', noun.create, { [noun.body]: {} })).status).toBe(400);
    expect(await count()).toBe(before);
  });

  test('is not searched by what its answers do not show', async () => {
    for (const field of ['password_hash', 'activation_code', 'config_overrides', 'ctid']) {
      const { status, body } = await send('GET', `${noun.list}?${by(field, 'a')}`);
      expect({ status, message: body.message }).toEqual({ status: 400, message: 'Invalid attribute name: %1' });
    }
  });

  test('can be seen and changed by those alone who may', async () => {
    const id = await create();
    const { nothing: token } = api.tokens;
    const body = { [noun.body]: noun.fresh(++made) };
    for (const [method, path] of [
      ['GET', noun.list],
      ['GET', noun.one(id)],
      ['DELETE', noun.one(id)],
      ['POST', noun.create],
    ] as const)
      expect((await api.call(method, path, { token, ...(method === 'POST' ? { body } : {}) })).status).toBe(401);
    expect((await send('GET', noun.one(id))).status).toBe(200);
  });
});

test('of eight locations with one code one is opened', async () => {
  const answers = await eightAtOnce(() =>
    send('POST', '/V1/pos/locations', { location: { name: 'Pier', code: 'pier' } }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
});
