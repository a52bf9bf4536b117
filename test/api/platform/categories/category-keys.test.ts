import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignProduct } from '../../../../db/platform/categories/category-products.ts';
import { deleteCategory } from '../../../../db/platform/categories/delete-category.ts';
import { joined } from '../../../../db/support/transact.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { waiting } from '../../../support/books/held.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { waitUntil } from '../../../support/wait-until.ts';

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
