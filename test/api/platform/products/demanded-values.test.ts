import type { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteProduct } from '../../../../db/platform/catalog/delete-product.ts';
import { deleteProductAttribute } from '../../../../db/platform/catalog/delete-product-attribute.ts';
import { joined } from '../../../../db/support/transact.ts';
import { testApi, type Answer, type TestApi } from '../../../support/api.ts';
import { attributeToken } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { waiting } from '../../../support/books/held.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { waitUntil } from '../../../support/wait-until.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  token = await attributeToken(api);
});
afterAll(() => api.close());

const { fork, find, rows } = booksOf(() => api.orm);

/** Carries a deletion out while the request comes that waits for it. */
async function whileDeleted(deletion: (em: EntityManager) => Promise<void>, request: () => Promise<Answer>) {
  let answer: Promise<Answer> | undefined;
  await fork().transactional(async (tx) => {
    await deletion(joined(tx));
    answer = request();
    await waitUntil('the request waits', async () => (await waiting({ fork, rows })) > 0);
  });
  return answer;
}

let made = 0;
let code = '';
/** Each test has an attribute of its own, in the default set. */
beforeEach(() => {
  code = `trait_${++made}`;
});

const save = (sku: string, fields: object = {}, path = '/V1/products') =>
  api.call('POST', path, { token, body: { product: { sku, name: sku, price: 1, ...fields } } });
const change = (sku: string, fields: object, scope = '') =>
  api.call('PUT', `${scope}/V1/products/${sku}`, { token, body: { product: fields } });
const valued = (value: unknown) => ({ custom_attributes: [{ attribute_code: code, value }] });
const valueOf = async (sku: string, scope = '') =>
  (await api.call('GET', `${scope}/V1/products/${sku}`, { token })).body.custom_attributes?.find(
    (one: { attribute_code: string }) => one.attribute_code === code,
  )?.value;

async function anAttribute(fields: object, { isInSet = true } = {}) {
  const attribute = { attribute_code: code, frontend_input: 'text', default_frontend_label: `The ${code}`, ...fields };
  const { body } = await api.call('POST', '/V1/products/attributes', { token, body: { attribute } });
  const place = { attributeSetId: 4, attributeGroupId: 7, attributeCode: code, sortOrder: 1 };
  if (isInSet) await api.call('POST', '/V1/products/attribute-sets/attributes', { token, body: place });
  return body;
}
const noLonger = (fields: object = { is_required: false }) =>
  api.call('PUT', `/V1/products/attributes/${code}`, { token, body: { attribute: fields } });

const empty = () => ({
  status: 400,
  body: {
    message: 'The "%1" attribute value is empty. Set the attribute and try again.',
    parameters: [`The ${code}`],
  },
});
const notUnique = () => ({
  status: 400,
  body: {
    message: 'The value of the "%1" attribute isn\'t unique. Set a unique value and try again.',
    parameters: [`The ${code}`],
  },
});

describe('a required attribute', () => {
  test('is asked of every new product of a set that has it', async () => {
    await anAttribute({ is_required: true });
    for (const fields of [{}, valued(''), valued(null), valued([])])
      expect(await save('NEW', fields)).toMatchObject(empty());
    expect((await api.call('GET', '/V1/products/NEW', { token })).status).toBe(404);
    expect((await save('NEW', valued('x'))).status).toBe(200);
    await noLonger();
  });

  test('is not asked of products of other sets, nor where no set has it', async () => {
    await anAttribute({ is_required: true }, { isInSet: false });
    expect((await save('NONE')).status).toBe(200);
    expect(await change('NONE', valued(''))).toMatchObject({ status: 200 });
  });

  test('is not emptied by a change, and a change that does not name it passes', async () => {
    await save('OLD');
    await anAttribute({ is_required: true });
    expect((await change('OLD', { price: 2 })).status).toBe(200);
    expect(await change('OLD', valued(''))).toMatchObject(empty());
    expect((await change('OLD', valued('x'))).status).toBe(200);
    expect(await change('OLD', valued(null))).toMatchObject(empty());
    expect(await valueOf('OLD')).toBe('x');
    await noLonger();
  });

  test('may fall back to the value of all views, and is not empty in one', async () => {
    await anAttribute({ is_required: true, scope: 'store' });
    await save('VIEW', valued('all'), '/rest/all/V1/products');
    expect((await change('VIEW', valued('ein'), '/rest/ca')).status).toBe(200);
    expect(await change('VIEW', valued(''), '/rest/ca')).toMatchObject(empty());
    expect(await valueOf('VIEW', '/rest/ca')).toBe('ein');
    expect((await change('VIEW', valued(null), '/rest/ca')).status).toBe(200);
    expect(await valueOf('VIEW', '/rest/ca')).toBe('all');
    await noLonger();
  });

  test('is asked of a product that gets a set that has it', async () => {
    const body = { attributeSet: { attribute_set_name: 'Plain' }, skeletonId: 4 };
    const { attribute_set_id: plain } = (await api.call('POST', '/V1/products/attribute-sets', { token, body })).body;
    await anAttribute({ is_required: true });
    expect((await save('PLAIN', { attribute_set_id: plain })).status).toBe(200);
    expect(await change('PLAIN', { attribute_set_id: 4 })).toMatchObject(empty());
    expect((await change('PLAIN', { attribute_set_id: 4, ...valued('x') })).body.attribute_set_id).toBe(4);
    await noLonger();
  });

  test('is asked only of the types of products that have it', async () => {
    await anAttribute({ is_required: true, apply_to: ['virtual'] });
    expect((await save('GOODS')).status).toBe(200);
    expect(await save('FILE', { type_id: 'virtual' })).toMatchObject(empty());
    await noLonger();
  });

  test('is not asked of a product whose customers choose it', async () => {
    const { attribute_id: id } = await anAttribute({
      ...{ is_required: true, frontend_input: 'select', options: [{ label: 'S' }] },
    });
    const options = [{ attribute_id: String(id), label: 'Size', position: 0, values: [] }];
    const shirt = { type_id: 'configurable', extension_attributes: { configurable_product_options: options } };
    expect((await save('SHIRT', shirt)).status).toBe(200);
    expect(await save('BAG')).toMatchObject(empty());
    await noLonger();
  });

  test('with a default is that in every new product', async () => {
    await anAttribute({ is_required: true, default_value: 'plain' });
    expect((await save('STD')).status).toBe(200);
    expect(await valueOf('STD')).toBe('plain');
    await save('OWN', valued('mine'));
    expect(await valueOf('OWN')).toBe('mine');
  });
});

describe('a unique attribute', () => {
  test('has a value once, in any case of letters, and the product itself keeps it', async () => {
    await anAttribute({ is_unique: true });
    expect((await save('U1', valued('Abc'))).status).toBe(200);
    expect((await save('U1', valued('Abc'))).status).toBe(200);
    expect(await save('U2', valued('aBC'))).toMatchObject(notUnique());
    expect((await save('U2', valued('x'.repeat(1_000)))).status).toBe(200);
    expect(await change('U2', valued('ABC'))).toMatchObject(notUnique());
    expect(await save('U3', valued('X'.repeat(1_000)))).toMatchObject(notUnique());
    expect((await save('U3')).status).toBe(200);
    expect((await save('U4', valued(''))).status).toBe(200);
  });

  test('is free again when its product has another, loses it, or is deleted', async () => {
    await anAttribute({ is_unique: true });
    await save('F1', valued('one'));
    await change('F1', valued('two'));
    expect((await save('F2', valued('one'))).status).toBe(200);
    await change('F2', valued(null));
    expect((await save('F3', valued('one'))).status).toBe(200);
    await api.call('DELETE', '/V1/products/F3', { token });
    expect((await save('F4', valued('one'))).status).toBe(200);
  });

  test('counts the values of all store views', async () => {
    await anAttribute({ is_unique: true, scope: 'store' });
    await save('V1', valued('all'), '/rest/all/V1/products');
    await change('V1', valued('ein'), '/rest/ca');
    expect(await save('V2', valued('ein'))).toMatchObject(notUnique());
    expect(await save('V2', valued('all'))).toMatchObject(notUnique());
  });

  test('of eight products at once has one owner', async () => {
    await anAttribute({ is_unique: true });
    const answers = await eightAtOnce((at) => save(`RACE${at}`, valued('same')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  test('that becomes so belongs to the oldest product, and need not stay so', async () => {
    await anAttribute({});
    await save('O1', valued('old'));
    await save('O2', valued('old'));
    await noLonger({ is_unique: true });
    expect((await save('O1', valued('old'))).status).toBe(200);
    expect(await save('O2', valued('old'))).toMatchObject(notUnique());
    await noLonger({ is_unique: false });
    expect((await save('O2', valued('old'))).status).toBe(200);
    expect(await find('unique_value', { value: 'old' }, 'product_id')).toEqual([]);
  });

  test('that becomes so while a product is deleted leaves the value to others', async () => {
    await anAttribute({});
    await save('GONE', valued('mine'));
    await save('STAYS', valued('yours'));
    const answer = await whileDeleted(
      (em) => deleteProduct(em, 'GONE'),
      () => noLonger({ is_unique: true }),
    );
    expect(answer?.status).toBe(200);
    expect((await save('NEXT', valued('mine'))).status).toBe(200);
    expect(await save('NEXT', valued('yours'))).toMatchObject(notUnique());
  });

  test('that is deleted while a product is saved with it does not fail the product', async () => {
    await anAttribute({ is_unique: true });
    const answer = await whileDeleted(
      (em) => deleteProductAttribute(em, code),
      () => save('LATE', valued('late')),
    );
    expect(answer?.status).toBe(200);
    expect(await find('unique_value', { value: 'late' }, 'product_id')).toEqual([]);
  });
});
