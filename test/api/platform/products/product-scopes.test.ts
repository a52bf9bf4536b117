import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { TaxClass } from '../../../../db/platform/tax/tax-class.entity.ts';
import { StoreView } from '../../../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../../../db/platform/stores/website.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let customerId: number;
beforeAll(async () => {
  api = await testApi();
  const em = api.orm.em.fork();
  await aShop(em);
  em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
  em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
  const ann = em.create(Customer, {
    ...{ websiteId: 1, storeId: 2, groupId: 1, email: 'ann@example.com', firstname: 'Ann', lastname: 'Lee' },
  });
  await em.flush();
  customerId = ann.id ?? 0;
  await ownAttributes(api, { barcode: 'text', shelf: 'text', is_returnable: 'boolean', sizes: 'multiselect' });
  em.create(TaxClass, { classId: 5, className: 'Books', classType: 'PRODUCT' });
  await em.flush();
});
afterAll(() => api.close());

let sku: string;
let made = 0;
beforeEach(async () => {
  sku = `CUP-${++made}`;
  const custom_attributes = [{ attribute_code: 'url_key', value: `cup-${made}` }];
  const extension_attributes = { website_ids: [1, 2], stock_item: { qty: 9, is_in_stock: true } };
  await send('POST', 'default', '', { sku, name: 'Cup', price: 10, custom_attributes, extension_attributes });
});

const send = (method: string, view: string, path: string, product: object) =>
  api.call(method, `/rest/${view}/V1/products${path}`, { token: api.tokens.register, body: { product } });
const save = (view: string, product: object) => send('PUT', view, `/${sku}`, product);
const read = async (view: string) =>
  (await api.call('GET', `/rest/${view}/V1/products/${sku}`, { token: api.tokens.register })).body;
const attributeOf = (body: { custom_attributes: { attribute_code: string; value: unknown }[] }, code: string) =>
  body.custom_attributes.find(({ attribute_code }) => attribute_code === code)?.value;
const found = async (view: string, field: string, value: string) => {
  const filter = `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;
  const { body } = await api.call('GET', `/rest/${view}/V1/products?${filter}`, { token: api.tokens.register });
  return body.items.map((item: { sku: string; name: string }) => [item.sku, item.name]);
};
const views = ['default', 'ca', 'trade', 'all'];
const namesIn = async () => Promise.all(views.map(async (view) => (await read(view)).name));

test('a new product has its words in every view', async () => {
  expect(await namesIn()).toEqual(['Cup', 'Cup', 'Cup', 'Cup']);
});

test('a name saved in one view is that view’s own, wherever it is read', async () => {
  const { body } = await save('ca', { name: `Tasse ${sku}` });
  expect(body.name).toBe(`Tasse ${sku}`);
  expect(await namesIn()).toEqual(['Cup', `Tasse ${sku}`, 'Cup', 'Cup']);

  await save('all', { name: 'Mug' });
  expect(await namesIn()).toEqual(['Mug', `Tasse ${sku}`, 'Mug', 'Mug']);

  expect(await found('ca', 'name', `Tasse ${sku}`)).toEqual([[sku, `Tasse ${sku}`]]);
  expect(await found('default', 'name', `Tasse ${sku}`)).toEqual([]);
  expect(await found('ca', 'sku', sku)).toEqual([[sku, `Tasse ${sku}`]]);
});

test('without a store code it is the default view’s own', async () => {
  await api.call('PUT', `/V1/products/${sku}`, { token: api.tokens.register, body: { product: { name: 'Beaker' } } });
  expect(await namesIn()).toEqual(['Beaker', 'Cup', 'Cup', 'Cup']);
});

test('a special price of all websites that is sent as null ends where it is said, until there is a new one', async () => {
  const special = (value: unknown) => ({ custom_attributes: [{ attribute_code: 'special_price', value }] });
  const specials = async () =>
    (await Promise.all(views.map(read))).map((product) => attributeOf(product, 'special_price'));
  await save('all', special(5));
  for (const nothing of [null, '', null]) {
    expect((await save('default', special(nothing))).status).toBe(200);
    expect(await specials()).toEqual([undefined, undefined, '5', '5']);
  }
  await save('trade', special('4'));
  await save('trade', special(null));
  expect(await specials()).toEqual([undefined, undefined, undefined, '5']);
  await save('all', special(6));
  expect(await specials()).toEqual(['6', '6', '6', '6']);
  await save('all', special(''));
  expect(await specials()).toEqual([undefined, undefined, undefined, undefined]);
});

test('a website’s value applies in all of its views and in no other', async () => {
  await save('default', { status: 2, custom_attributes: [{ attribute_code: 'special_price', value: 7.5 }] });
  const products = await Promise.all(views.map(read));
  expect(products.map(({ status }) => status)).toEqual([2, 2, 1, 1]);
  expect(products.map((product) => attributeOf(product, 'special_price'))).toEqual([
    '7.5',
    '7.5',
    undefined,
    undefined,
  ]);
  expect(await found('ca', 'special_price', '7.5')).toEqual([[sku, 'Cup']]);
  expect(await found('trade', 'special_price', '7.5')).toEqual([]);
});

test('a price and a shop’s own attributes hold everywhere, whichever view they are saved in', async () => {
  await save('ca', { price: 12, custom_attributes: [{ attribute_code: 'barcode', value: '4006381333931' }] });
  const products = await Promise.all(views.map(read));
  expect(products.map(({ price }) => price)).toEqual([12, 12, 12, 12]);
  expect(products.map((product) => attributeOf(product, 'barcode'))).toEqual(Array(4).fill('4006381333931'));
});

test('null takes a view’s own word away, and everybody’s comes back', async () => {
  const set = (value: string | null) => save('ca', { custom_attributes: [{ attribute_code: 'url_key', value }] });
  await set('tasse');
  expect(attributeOf(await read('ca'), 'url_key')).toBe('tasse');
  expect(await found('ca', 'url_key', 'tasse')).toEqual([[sku, 'Cup']]);
  await set(null);
  expect(attributeOf(await read('ca'), 'url_key')).toBe(sku.toLowerCase());
});

test('null takes a view’s own name, visibility, status and tax class away too', async () => {
  const own = { name: 'Tasse', visibility: 1, status: 2 };
  const taxClass = (value: string | null) => ({ custom_attributes: [{ attribute_code: 'tax_class_id', value }] });
  await save('ca', { ...own, ...taxClass('5') });
  expect(await read('ca')).toMatchObject(own);
  expect(attributeOf(await read('ca'), 'tax_class_id')).toBe('5');

  await save('ca', { name: null, visibility: null, status: null, ...taxClass(null) });
  expect(await read('ca')).toMatchObject({ name: 'Cup', visibility: 4, status: 1 });
  expect(attributeOf(await read('ca'), 'tax_class_id')).toBe('2');
  await save('all', { name: 'Mug' });
  expect(await namesIn()).toEqual(['Mug', 'Mug', 'Mug', 'Mug']);
});

test('a product that is sent once more says nothing of its own in the view', async () => {
  const { sku: _sku, ...body } = await read('default');
  for (let time = 0; time < 2; time++)
    await send('POST', 'default', '', { sku, ...body, extension_attributes: { website_ids: [1, 2] } });
  await save('all', { name: 'Mug', status: 2, custom_attributes: [{ attribute_code: 'url_key', value: 'mug' }] });
  expect(await read('default')).toMatchObject({ name: 'Mug', status: 2 });
  expect(attributeOf(await read('default'), 'url_key')).toBe('mug');
});

test.each(['99999999999', '2147483648', '-1', '1.5', 'none', true, ['2']])(
  'a tax class %j is refused in every view',
  async (value) => {
    const custom_attributes = [{ attribute_code: 'tax_class_id', value }];
    for (const view of ['ca', 'all']) {
      const { status, body } = await save(view, { custom_attributes });
      expect([status, body.parameters?.fieldName]).toEqual([400, 'tax_class_id']);
    }
    expect(attributeOf(await read('ca'), 'tax_class_id')).toBe('2');
  },
);

test.each([
  ['all', null],
  ['all', ' '],
  ['ca', ''],
])('the name of a product in %s cannot become %j', async (view, name) => {
  expect((await save(view, { name })).body).toMatchObject({ parameters: ['Product Name'] });
  expect(await namesIn()).toEqual(['Cup', 'Cup', 'Cup', 'Cup']);
});

test('views saved at once keep their own words', async () => {
  await Promise.all(
    ['default', 'ca', 'trade'].flatMap((view) => [1, 2].map(() => save(view, { name: `Cup of ${view}` }))),
  );
  expect(await namesIn()).toEqual(['Cup of default', 'Cup of ca', 'Cup of trade', 'Cup']);
});

test('a cart has the words of its view, and nothing that its website does not sell', async () => {
  const token = await api.customerToken(customerId);
  await save('ca', { name: 'Tasse' });
  await api.call('POST', '/rest/ca/V1/carts/mine', { token });
  const item = { cartItem: { sku, qty: 1 } };
  const { body } = await api.call('POST', '/rest/ca/V1/carts/mine/items', { token, body: item });
  expect(body).toMatchObject({ sku, name: 'Tasse' });

  await save('ca', { status: 2 });
  const again = await api.call('POST', '/rest/ca/V1/carts/mine/items', { token, body: item });
  expect(again.status).toBe(400);
});

test('an attribute that only a view speaks of can be searched', async () => {
  await save('ca', { custom_attributes: [{ attribute_code: 'meta_title', value: `T${made}` }] });
  expect(await found('ca', 'meta_title', `T${made}`)).toEqual([[sku, 'Cup']]);
  expect(await found('default', 'meta_title', `T${made}`)).toEqual([]);
});

test('values are texts, however they were sent; several choices are one text', async () => {
  const added = await Promise.all(
    ['S', 'L'].map((label) =>
      api.call('POST', '/V1/products/attributes/sizes/options', {
        token: api.tokens.admin,
        body: { option: { label } },
      }),
    ),
  );
  const ids = added.map(({ body }) => Number(body));
  const values = { is_returnable: false, shelf: 12, sizes: ids };
  const custom_attributes = Object.entries(values).map(([attribute_code, value]) => ({ attribute_code, value }));
  const { body } = await save('all', { custom_attributes });
  expect(Object.keys(values).map((code) => attributeOf(body, code))).toEqual(['0', '12', ids.join(',')]);
});

test('a website’s special price keeps the first day that the website said', async () => {
  const valueAt = async () => attributeOf(await read('default'), 'special_from_date');
  const special = (...given: [string, unknown][]) =>
    save('default', { custom_attributes: given.map(([attribute_code, value]) => ({ attribute_code, value })) });
  await special(['special_price', 7], ['special_from_date', '2026-12-01 00:00:00']);
  await special(['special_price', 6]);
  expect(await valueAt()).toBe('2026-12-01 00:00:00');
});
