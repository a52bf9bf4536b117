import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CatalogRule } from '../../../../db/platform/catalog-rules/catalog-rule.entity.ts';
import { SalesRule } from '../../../../db/platform/sales-rules/sales-rule.entity.ts';
import { money } from '../../../../domain/money/amount.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCatalogRule } from '../../../support/builders/catalog-rule.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, configure, findOne, change, insert, remove } = booksOf(() => api.orm);

const call = (method: string, path = '', body?: unknown) =>
  api.call(method, `/V1/customerGroups${path}`, { token: api.tokens.admin, body });
const create = (group: object) => call('POST', '', { group });
const defaultPath = 'customer/create_account/default_group';
const settle = (scope: 'default' | 'websites' | 'stores', scopeId: number, value: string) =>
  configure(defaultPath, value, scope, scopeId);
const absent = (fieldName: string, fieldValue: unknown) => ({
  status: 404,
  body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
});
const taken = { status: 400, body: { message: 'Customer Group already exists.' } };
const kept = { status: 400, body: { message: 'Cannot delete group.' } };

let club: { id: number; code: string };
let clubs = 0;
beforeEach(async () => {
  await remove('config_value');
  club = (await create({ code: `Club ${++clubs}` })).body;
});

/** A customer in the club, of a store view. */
async function aMember(storeId = 1): Promise<number> {
  const customer = { email: `m${club.id}-${storeId}@example.com`, firstname: 'Ann', lastname: 'Lee' };
  const body = { customer: { ...customer, group_id: club.id, website_id: 1, store_id: storeId } };
  const answer = await api.call('POST', '/V1/customers', { token: api.tokens.admin, body });
  expect(answer).toMatchObject({ status: 200, body: { group_id: club.id } });
  return answer.body.id;
}
const groupOf = async (customerId: number) =>
  (await api.call('GET', `/V1/customers/${customerId}`, { token: api.tokens.admin })).body.group_id;

describe('a new group', () => {
  test('is of retail customers unless its class is named, and is read back', async () => {
    const answer = { id: club.id, code: club.code, tax_class_id: 3, tax_class_name: 'Retail Customer' };
    expect(club).toEqual(answer);
    expect((await call('GET', `/${club.id}`)).body).toEqual(answer);
    expect(await create({ id: null, code: 'With a class', tax_class_id: 3 })).toMatchObject({ status: 200 });
  });

  test('has a code of its own, in any case of letters; of eight at once one is made', async () => {
    expect(await create({ code: club.code.toUpperCase() })).toMatchObject(taken);
    const code = `Crowd ${club.id}`;
    const answers = await eightAtOnce(() => create({ code }));
    const [made, ...refused] = answers.toSorted((one, other) => one.status - other.status);
    expect(made).toMatchObject({ status: 200, body: { code } });
    for (const answer of refused) expect(answer).toMatchObject(taken);
  });

  test('never gets the number of a deleted one, nor that of all groups', async () => {
    expect((await call('DELETE', `/${club.id}`)).body).toBe(true);
    expect((await create({ code: club.code })).body.id).toBeGreaterThan(club.id);
    await insert('customer_group', { id: 31_999, code: 'Last before' });
    expect((await create({ code: `After ${club.id}` })).body.id).toBe(32_001);
    for (const id of [31_999, 32_001]) await remove('customer_group', { id });
  });

  test('has a code of 32 characters at most: a longer one is cut', async () => {
    const { body } = await create({ code: `${'é'.repeat(30)}🎈${club.id}` });
    expect([...body.code]).toHaveLength(32);
    expect(body.code).toMatch(/🎈\d$/u);
  });

  test.each([
    [{}, '"%fieldName" is required. Enter and try again.', { fieldName: 'code' }],
    [{ code: null }, '"%fieldName" is required. Enter and try again.', { fieldName: 'code' }],
    [{ code: '  ' }, '"%fieldName" is required. Enter and try again.', { fieldName: 'code' }],
    [
      { code: 'Odd', tax_class_id: 9999 },
      'Invalid value of "%value" provided for the %fieldName field.',
      { fieldName: 'taxClassId', value: 9999 },
    ],
  ])('of %j is refused', async (group, message, parameters) => {
    expect(await create(group)).toMatchObject({ status: 400, body: { message, parameters } });
  });

  test.each([
    [{}],
    [{ group: null }],
    [{ group: 'Club' }],
    [{ group: { code: ['x'] } }],
    [{ group: { colour: 'red' } }],
  ])('is not made from %j', async (body) => {
    expect((await call('POST', '', body)).status).toBe(400);
  });
});

describe('a change', () => {
  test('counts for the group of the path, and a repeat leaves the same group', async () => {
    const group = { id: 1, code: `Members ${club.id}`, tax_class_id: 3 };
    const answer = { id: club.id, code: group.code, tax_class_id: 3, tax_class_name: 'Retail Customer' };
    for (let time = 0; time < 2; time++)
      expect(await call('PUT', `/${club.id}`, { group })).toMatchObject({ status: 200, body: answer });
    expect((await call('GET', '/1')).body.code).toBe('General');
  });

  test('may be posted with the id, as on the platform', async () => {
    expect(await create({ id: club.id, code: `Posted ${club.id}` })).toMatchObject({
      status: 200,
      body: { id: club.id, code: `Posted ${club.id}` },
    });
    expect(await create({ id: 8_888, code: 'Nobody' })).toMatchObject(absent('id', 8_888));
  });

  test('takes back what a read answered', async () => {
    const { body: group } = await call('GET', `/${club.id}`);
    expect(await call('PUT', `/${club.id}`, { group })).toMatchObject({ status: 200, body: group });
  });

  test('is refused where the group, its code or its class cannot be', async () => {
    const put = (group: object, id = club.id) => call('PUT', `/${id}`, { group });
    expect(await put({ code: 'Nobody' }, 9_999)).toMatchObject(absent('id', 9_999));
    expect(await put({ code: 'general' })).toMatchObject(taken);
    expect(await put({ tax_class_id: 3 })).toMatchObject({ status: 400, body: { parameters: { fieldName: 'code' } } });
    expect(await put({ code: 'Odd', tax_class_id: 0 })).toMatchObject({
      status: 400,
      body: { parameters: { fieldName: 'taxClassId', value: 0 } },
    });
    expect((await call('GET', `/${club.id}`)).body.code).toBe(club.code);
  });
});

describe('a deletion', () => {
  test('gives its customers the default group of their store view', async () => {
    await settle('default', 0, '2');
    await settle('stores', 2, '3');
    const [ann, bob] = [await aMember(1), await aMember(2)];

    expect(await call('DELETE', `/${club.id}`)).toMatchObject({ status: 200, body: true });

    expect([await groupOf(ann), await groupOf(bob)]).toEqual([2, 3]);
    expect(await call('GET', `/${club.id}`)).toMatchObject(absent('id', club.id));
    expect(await call('DELETE', `/${club.id}`)).toMatchObject(absent('id', club.id));
  });

  test('happens once, however many ask at once', async () => {
    const answers = await eightAtOnce(() => call('DELETE', `/${club.id}`));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
  });

  test('leaves no new account in a group that is gone', async () => {
    const customer = { email: `late${club.id}@example.com`, firstname: 'Ann', lastname: 'Lee', group_id: club.id };
    const [opened] = await Promise.all([
      api.call('POST', '/V1/customers', { token: api.tokens.admin, body: { customer } }),
      call('DELETE', `/${club.id}`),
    ]);
    if (opened.status === 200) expect(await groupOf(opened.body.id)).toBe(1);
    else expect(opened.body.message).toBe('The specified customer group id does not exist.');
  });

  test('takes its tier prices along, and no other', async () => {
    const tiers = [club.id, 2].map((customerGroupId) => ({ customerGroupId, websiteId: 0, qty: 1, value: 9 }));
    await change('product', { sku: 'MUG' }, { tier_prices: JSON.stringify(tiers) });
    await call('DELETE', `/${club.id}`);
    expect(await findOne('product', { sku: 'MUG' }, 'tier_prices')).toEqual({ tier_prices: [tiers[1]] });
  });

  test('switches off a promotion that was for this group alone', async () => {
    const alone = await aCatalogRule(api.orm, { customerGroupIds: [club.id] });
    const shared = await aCatalogRule(api.orm, { customerGroupIds: [1, club.id] });
    const forAll = await aCatalogRule(api.orm);
    const em = fork();
    const coupon = { name: 'Club', simpleAction: 'by_percent', discountAmount: money('10') } as const;
    em.create(SalesRule, { ...coupon, customerGroupIds: [club.id] });
    await em.flush();
    await call('DELETE', `/${club.id}`);

    const rules = await fork().find(CatalogRule, { ruleId: [alone, shared, forAll] }, { orderBy: { ruleId: 1 } });
    expect(rules.map(({ isActive, customerGroupIds }) => [isActive, customerGroupIds?.map(Number)])).toEqual([
      [false, []],
      [true, [1]],
      [true, undefined],
    ]);
    expect(await fork().find(SalesRule, { name: 'Club' })).toMatchObject([{ isActive: false }]);
  });

  test('is refused for guests and for a group that new accounts get', async () => {
    await settle('websites', 1, String(club.id));
    for (const id of [0, club.id]) {
      expect(await call('DELETE', `/${id}`)).toMatchObject(kept);
      expect((await call('GET', `/${id}/permissions`)).body).toBe(true);
    }
    expect((await call('GET', '/2/permissions')).body).toBe(false);
    expect(await call('GET', '/9999/permissions')).toMatchObject(absent('groupId', 9_999));
  });

  test('moves no customer where the default group does not exist', async () => {
    await settle('stores', 1, '777');
    const ann = await aMember();
    expect(await call('DELETE', `/${club.id}`)).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'groupId', fieldValue: '777', field2Name: 'storeId', field2Value: 1 } },
    });
    expect(await groupOf(ann)).toBe(club.id);
  });
});
