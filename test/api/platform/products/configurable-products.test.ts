import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let token: string;
let sku: string;
let shirts = 0;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  token = await api.tokenFor('Platform_Catalog::products');
});
afterAll(() => api.close());
beforeEach(async () => {
  sku = `SHIRT-${++shirts}`;
  await aProduct({ sku, name: 'Shirt', price: 20 });
});

const aProduct = async (product: Record<string, unknown>): Promise<number> =>
  (await api.call('POST', '/V1/products', { token, body: { product } })).body.id;
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `/V1/configurable-products/${path}`, { token, body });
const colour = {
  attribute_id: 'color',
  label: 'Colour',
  position: 1,
  values: [{ value_index: 4 }, { value_index: 5 }],
};
const addOption = (option: Record<string, unknown> = colour) => call('POST', `${sku}/options`, { option });
const options = async () => (await call('GET', `${sku}/options/all`)).body;
const addChild = (childSku: string) => call('POST', `${sku}/child`, { childSku });
const children = async () => (await call('GET', `${sku}/children`)).body.map((child: { sku: string }) => child.sku);
async function aChild(value: string | null = '4'): Promise<string> {
  const child = `${sku}-${++shirts}`;
  const custom_attributes = value === null ? [] : [{ attribute_code: 'color', value }];
  await aProduct({ sku: child, name: 'Shirt', price: 20, custom_attributes });
  return child;
}

describe('an option', () => {
  test('makes a simple product configurable, and is read, changed and deleted', async () => {
    const { status, body: id } = await addOption();
    expect(status).toBe(200);
    const stored = { id, label: 'Colour', position: 1, values: colour.values };
    expect(await options()).toMatchObject([stored]);
    expect((await api.call('GET', `/V1/products/${sku}`, { token })).body.type_id).toBe('configurable');
    expect((await call('PUT', `${sku}/options/${id}`, { option: { label: 'Shade' } })).body).toBe(id);
    expect((await call('GET', `${sku}/options/${id}`)).body).toMatchObject({ ...stored, label: 'Shade' });
    expect(await call('DELETE', `${sku}/options/${id}`)).toMatchObject({ status: 200, body: true });
    expect((await call('DELETE', `${sku}/options/${id}`)).status).toBe(404);
    expect(await options()).toEqual([]);
  });

  test('of one attribute is added once, also by eight at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => addOption()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await addOption()).body.message).toBe('Product already has this option');
    expect(await options()).toHaveLength(1);
  });

  test.each([
    [{ attribute_id: undefined }, 'Option attribute ID is not specified.'],
    [{ label: '' }, 'Option label is not specified.'],
    [{ values: [] }, 'Option values are not specified.'],
    [{ values: [{}] }, 'Value index is not specified for an option.'],
    [{ label: '', values: [] }, 'One or more input exceptions have occurred.'],
  ])('that lacks something is refused: %j', async (given, message) => {
    expect(await addOption({ ...colour, ...given })).toMatchObject({ status: 400, body: { message } });
  });

  test('of an unknown attribute, or of an unknown id, is not found', async () => {
    expect((await addOption({ ...colour, attribute_id: 'no_such' })).status).toBe(404);
    await addOption();
    for (const [method, body] of [['GET'], ['PUT', { option: { label: 'x' } }], ['DELETE']] as const)
      expect((await call(method, `${sku}/options/999`, body)).status).toBe(404);
  });

  test('of a product that has none is refused', async () => {
    for (const path of ['options/all', 'options/1'])
      expect(await call('GET', `${sku}/${path}`)).toMatchObject({
        status: 400,
        body: { message: 'This is implemented for the "%1" configurable product only.', parameters: [sku] },
      });
  });

  test('that came with the product has an id', async () => {
    await aProduct({
      ...{ sku, type_id: 'configurable' },
      extension_attributes: { configurable_product_options: [colour], configurable_product_links: [] },
    });
    expect(await options()).toMatchObject([{ id: 1, attribute_id: 'color' }]);
  });
});

describe('a child', () => {
  test('is added once and taken off once', async () => {
    await addOption();
    const [one, other] = [await aChild('4'), await aChild('5')];
    const answers = await Promise.all([...Array.from({ length: 4 }, () => addChild(one)), addChild(other)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await addChild(one)).toMatchObject({ status: 400, body: { message: 'The product is already attached.' } });
    expect(await children()).toEqual([one, other]);
    expect(await call('DELETE', `${sku}/children/${one}`)).toMatchObject({ status: 200, body: true });
    expect((await call('DELETE', `${sku}/children/${one}`)).status).toBe(404);
    expect(await children()).toEqual([other]);
  });

  test('goes with the option, as on the platform', async () => {
    const { body: id } = await addOption();
    await addChild(await aChild());
    await call('DELETE', `${sku}/options/${id}`);
    expect(await children()).toEqual([]);
  });

  test('needs a value of every option, and a parent that has options', async () => {
    const child = await aChild(null);
    expect((await addChild(child)).body.message).toBe("The parent product doesn't have configurable product options.");
    await addOption();
    expect((await addChild(child)).body.parameters).toEqual(['color']);
    expect((await addChild('NO-SUCH')).status).toBe(404);
  });

  test('of a simple product is not there', async () => {
    expect(await children()).toEqual([]);
    expect((await call('DELETE', `${sku}/children/NO-SUCH`)).status).toBe(400);
  });
});

describe('variations', () => {
  const product = { sku: 'TEE', name: 'Tee', price: 10 };
  const values = (count: number) => Array.from({ length: count }, (_, index) => ({ value_index: index + 1 }));
  const generate = (given: unknown) => call('PUT', 'variation', { product, options: given });

  test('are every combination of the values, and are not saved', async () => {
    const two = [
      { attribute_id: 'color', values: values(2) },
      { attribute_id: 'manufacturer', values: values(3) },
    ];
    const { body } = await generate(two);
    expect(body.map((one: { sku: string }) => one.sku)).toEqual(
      ['1-1', '1-2', '1-3', '2-1', '2-2', '2-3'].map((suffix) => `TEE-${suffix}`),
    );
    expect(body[5]).toMatchObject({ name: 'Tee-2-3', price: 10, visibility: 1 });
    expect((await api.call('GET', '/V1/products/TEE-1-1', { token })).status).toBe(404);
  });

  test('are at most a thousand', async () => {
    const many = ['color', 'manufacturer'].map((code) => ({ attribute_id: code, values: values(40) }));
    expect(await generate(many)).toMatchObject({ status: 400, body: { parameters: { max: 1_000 } } });
  });

  test('of an unknown attribute are refused', async () => {
    expect((await generate([{ attribute_id: 'no_such', values: values(1) }])).status).toBe(404);
  });
});
