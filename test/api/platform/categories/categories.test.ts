import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assignProduct } from '../../../../db/platform/categories/read-categories.ts';
import { deleteCategory } from '../../../../db/platform/categories/categories.ts';
import { joined } from '../../../../db/support/transact.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { waiting } from '../../../support/books/held.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { waitUntil } from '../../../support/wait-until.ts';

describe('categories', () => {
  let api: TestApi;
  let names = 0;
  beforeAll(async () => {
    api = await testApi();
    await aShop(api.orm.em.fork());
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const aCategory = async (fields: object = {}) => {
    const { status, body } = await call('POST', '/rest/all/V1/categories', {
      category: { name: `Shelf ${++names}`, is_active: true, ...fields },
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const get = async (id: number, view = '') => (await call('GET', `/rest${view}/V1/categories/${id}`)).body;
  const products = async (id: number) => (await call('GET', `/V1/categories/${id}/products`)).body;

  test('a category is added below the default one, read, changed and deleted', async () => {
    const made = await aCategory({
      name: 'Tea & coffee',
      custom_attributes: [{ attribute_code: 'description', value: 'Hot' }],
    });
    expect(made).toMatchObject({
      parent_id: 2,
      level: 2,
      path: `1/2/${made.id}`,
      is_active: true,
      include_in_menu: true,
    });
    expect(made.custom_attributes).toEqual([
      { attribute_code: 'url_key', value: 'tea-coffee' },
      { attribute_code: 'description', value: 'Hot' },
    ]);
    const change = {
      category: { ...made, name: 'Tea', custom_attributes: [{ attribute_code: 'description', value: null }] },
    };
    for (let times = 0; times < 2; times++) await call('PUT', `/rest/all/V1/categories/${made.id}`, change);
    expect(await get(made.id)).toMatchObject({ name: 'Tea', custom_attributes: [{ attribute_code: 'url_key' }] });
    expect((await call('DELETE', `/V1/categories/${made.id}`)).body).toBe(true);
    expect(await call('DELETE', `/V1/categories/${made.id}`)).toMatchObject({
      status: 404,
      body: {
        message: 'No such entity with %fieldName = %fieldValue',
        parameters: { fieldName: 'id', fieldValue: made.id },
      },
    });
  });

  test('a name saved in one store view holds there alone', async () => {
    const { id, name } = await aCategory();
    await call('PUT', `/rest/ca/V1/categories/${id}`, { category: { name: 'Étagère' } });
    expect((await get(id, '/ca')).name).toBe('Étagère');
    expect((await get(id)).name).toBe(name);
  });

  test('of eight creates with one name at once, one succeeds and the others are refused', async () => {
    const category = { name: 'Once', is_active: true };
    const all = await eightAtOnce(() => call('POST', '/V1/categories', { category }));
    expect(Map.groupBy(all, ({ status }) => status).get(200)).toHaveLength(1);
    expect(all.find(({ status }) => status === 400)?.body).toMatchObject({ message: 'Could not save category: %1' });
  });

  test('the tree in order, as deep as asked, with how many products', async () => {
    const root = await aCategory({ name: 'Tree' });
    const [one, two] = [await aCategory({ parent_id: root.id }), await aCategory({ parent_id: root.id })];
    await aCategory({ parent_id: two.id });
    await call('POST', `/V1/categories/${two.id}/products`, { productLink: { sku: 'MUG' } });
    const { body } = await call('GET', `/V1/categories?rootCategoryId=${root.id}&depth=1`);
    expect(body).toMatchObject({
      id: root.id,
      children_data: [
        { id: one.id, position: 1, product_count: 0 },
        { id: two.id, position: 2, product_count: 1, children_data: [] },
      ],
    });
    expect((await call('GET', '/V1/categories')).body).toMatchObject({ id: 1, level: 0, children_data: [{ id: 2 }] });
    expect((await call('GET', '/V1/categories?rootCategoryId=999999')).status).toBe(404);
    expect((await get(root.id)).children).toBe(`${one.id},${two.id}`);
  });

  test('moved with all below it, twice as once, never under itself', async () => {
    const [from, to] = [await aCategory(), await aCategory()];
    const child = await aCategory({ parent_id: from.id });
    const first = await aCategory({ parent_id: to.id });
    for (let times = 0; times < 2; times++)
      expect((await call('PUT', `/V1/categories/${from.id}/move`, { parentId: to.id, afterId: first.id })).body).toBe(
        true,
      );
    expect(await get(child.id)).toMatchObject({ path: `1/2/${to.id}/${from.id}/${child.id}`, level: 4 });
    expect((await get(to.id)).children).toBe(`${first.id},${from.id}`);
    for (const parentId of [from.id, child.id])
      expect((await call('PUT', `/V1/categories/${from.id}/move`, { parentId })).status).toBe(400);
    expect((await call('DELETE', `/V1/categories/${to.id}`)).body).toBe(true);
    expect((await call('GET', `/V1/categories/${child.id}`)).status).toBe(404);
  });

  test('products are put in, moved, taken out, and stay when their category goes', async () => {
    const { id } = await aCategory();
    const put = (sku: string, position: number) =>
      call('POST', `/V1/categories/${id}/products`, { productLink: { sku, position, category_id: '1' } });
    expect((await eightAtOnce(() => put('MUG', 2))).map(({ body }) => body)).toEqual(Array(8).fill(true));
    await put('PLATE', 1);
    const both = [
      { sku: 'PLATE', position: 1, category_id: String(id) },
      { sku: 'MUG', position: 2, category_id: String(id) },
    ];
    expect(await products(id)).toEqual(both);
    await put('MUG', 0);
    expect(await products(id)).toEqual([{ ...both[1], position: 0 }, both[0]]);

    expect((await call('DELETE', `/V1/categories/${id}/products/PLATE`)).body).toBe(true);
    expect(await call('DELETE', `/V1/categories/${id}/products/PLATE`)).toMatchObject({
      status: 400,
      body: { message: "The category doesn't contain the specified product." },
    });
    await call('DELETE', `/V1/categories/${id}`);
    const mug = (await call('GET', '/V1/products/MUG')).body;
    expect(JSON.stringify(mug)).not.toContain(`"${id}"`);
  });

  test('a product that is not there is neither put in, moved nor taken out', async () => {
    const { id } = await aCategory();
    const said = "The product that was requested doesn't exist. Verify the product and try again.";
    const productLink = { sku: 'NONE', position: 1 };
    for (const method of ['POST', 'PUT']) {
      const put = () => call(method, `/V1/categories/${id}/products`, { productLink });
      await expectRefused({ send: put, status: 404, said });
    }
    await expectRefused({ send: () => call('DELETE', `/V1/categories/${id}/products/NONE`), status: 404, said });
    expect(await products(id)).toEqual([]);
  });

  test('the tree grows to 20 levels and no deeper, by adding or by moving', async () => {
    let { id, level } = await aCategory();
    while (level < 20) ({ id, level } = await aCategory({ parent_id: id }));
    const deeper = { category: { name: 'Too deep', parent_id: id } };
    expect(await call('POST', '/V1/categories', deeper)).toMatchObject({ status: 400 });
    const moved = await aCategory();
    expect(await call('PUT', `/V1/categories/${moved.id}/move`, { parentId: id })).toMatchObject({ status: 400 });
  });

  test.each([
    ['POST', '/V1/categories', { category: { name: 'x', position: 2_147_483_647 } }, 400],
    ['DELETE', '/V1/categories/1', undefined, 400],
    ['POST', '/V1/categories', { category: { parent_id: 999_999, name: 'x' } }, 404],
    ['POST', '/V1/categories', { category: { is_active: true } }, 400],
    ['PUT', '/V1/categories/2', { category: { name: ' ' } }, 400],
    ['POST', '/V1/categories/999999/products', { productLink: { sku: 'MUG' } }, 404],
    ['GET', '/V1/categories/999999/products', undefined, 404],
    ['GET', '/V1/categories/attributes/none', undefined, 404],
  ])('%s %s with %j is refused with %i', async (method, path, body, status) => {
    expect((await call(method, path, body)).status).toBe(status);
  });

  test('categories and their attributes are found by what they say', async () => {
    const { name } = await aCategory();
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const found = await call('GET', `/V1/categories/list?${filter}[field]=name&${filter}[value]=${name}`);
    expect(found.body).toMatchObject({ items: [{ name }], total_count: 1 });
    const codes = await call(
      'GET',
      `/V1/categories/attributes?${filter}[field]=attribute_code&${filter}[value]=url_key`,
    );
    expect(codes.body.items).toMatchObject([{ attribute_code: 'url_key', entity_type_id: '3' }]);
    expect((await call('GET', '/V1/categories/attributes/url_key')).body.attribute_code).toBe('url_key');
    expect((await call('GET', '/V1/categories/attributes/is_active/options')).body).toHaveLength(2);
  });
});

describe('category keys', () => {
  let api: TestApi;
  let names = 0;
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const books = booksOf(() => api.orm);
  const { fork, findOne } = books;

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const aCategory = async (fields: object = {}) => {
    const { status, body } = await call('POST', '/rest/all/V1/categories', {
      category: { name: `Shelf ${++names}`, is_active: true, ...fields },
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const children = async (id: number) => (await call('GET', `/V1/categories/${id}`)).body.children;
  const keyed = (value: string) => ({ custom_attributes: [{ attribute_code: 'url_key', value }] });
  const keyOf = ({ custom_attributes }: { custom_attributes: { attribute_code: string; value: string }[] }) =>
    custom_attributes.find(({ attribute_code }) => attribute_code === 'url_key')?.value;

  test('a URL key is made of the letters below their accents; a name without any gets the category’s number', async () => {
    expect(keyOf(await aCategory({ name: 'Tücher & Café' }))).toBe('tucher-cafe');
    const [tea, coffee] = [await aCategory({ name: 'Чай' }), await aCategory({ name: 'Кофе' })];
    expect([keyOf(tea), keyOf(coffee)]).toEqual([`category-${tea.id}`, `category-${coffee.id}`]);
  });

  test('a URL key that a sibling has is refused in a change, in its view, and in a move', async () => {
    const [root, other] = [await aCategory(), await aCategory()];
    const taken = await aCategory({ parent_id: root.id, ...keyed('taken') });
    const free = await aCategory({ parent_id: root.id, ...keyed('free') });
    const same = await aCategory({ parent_id: other.id, ...keyed('taken') });
    const change = (id: number, key: string, view = 'all') =>
      call('PUT', `/rest/${view}/V1/categories/${id}`, { category: keyed(key) });
    const refused = { status: 400, body: { message: 'Could not save category: %1' } };

    expect(await change(free.id, 'taken')).toMatchObject(refused);
    expect(await change(free.id, 'taken', 'ca')).toMatchObject(refused);
    for (let times = 0; times < 2; times++) expect((await change(taken.id, 'taken')).status).toBe(200);
    expect((await change(taken.id, 'priset', 'ca')).status).toBe(200);
    expect((await change(free.id, 'taken', 'ca')).status).toBe(200);
    expect(await change(free.id, 'taken')).toMatchObject(refused);
    const moved = await call('PUT', `/V1/categories/${same.id}/move`, { parentId: root.id });
    expect(moved).toMatchObject({ status: 400, body: { message: 'Could not move category' } });
    expect(await children(root.id)).toBe(`${taken.id},${free.id}`);
  });

  test('of eight siblings that take one URL key at once one has it', async () => {
    const root = await aCategory();
    const ids: number[] = [];
    for (let n = 0; n < 8; n++) ids.push((await aCategory({ parent_id: root.id })).id);
    const all = await Promise.all(ids.map((id) => call('PUT', `/V1/categories/${id}`, { category: keyed('best') })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('moved after itself a category stays where it is, however often', async () => {
    const root = await aCategory();
    const [one, two, three] = [
      await aCategory({ parent_id: root.id }),
      await aCategory({ parent_id: root.id }),
      await aCategory({ parent_id: root.id }),
    ];
    for (let times = 0; times < 3; times++)
      expect((await call('PUT', `/V1/categories/${one.id}/move`, { parentId: root.id, afterId: one.id })).body).toBe(
        true,
      );
    expect(await children(root.id)).toBe(`${one.id},${two.id},${three.id}`);
    expect((await call('GET', `/V1/categories/${one.id}`)).body.position).toBe(1);
  });

  test('a product that is put in while the category is deleted is not left in it', async () => {
    const { id } = await aCategory();
    let deleted: Promise<void> | undefined;
    await fork().transactional(async (tx) => {
      await assignProduct(joined(tx), { categoryId: id, sku: 'MUG', position: 1 });
      deleted = deleteCategory(api.orm.em, id);
      await waitUntil('the deletion waits', async () => (await waiting(books)) > 0);
    });
    await deleted;
    expect(await findOne('product', { sku: 'MUG' }, 'category_ids')).toEqual({ category_ids: [] });
  });
});
