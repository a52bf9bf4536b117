import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { create, get, home, opensAShop, put, someone } from './customer-accounts.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('change customer', () => {
  opensAShop();

  test('a change keeps absent fields, addresses too', async () => {
    const { body: before } = await create(someone({ taxvat: 'DE1', addresses: [{ ...home, default_billing: true }] }));

    const { body } = await put(before.id, { firstname: 'Anna', taxvat: null });

    const { taxvat: _taxvat, ...kept } = before;
    expect({ ...body, updated_at: '' }).toEqual({ ...kept, firstname: 'Anna', updated_at: '' });
  });

  test('listed addresses are the whole list, and a default never points at one that is gone', async () => {
    const { body: before } = await create(
      someone({
        addresses: [
          { ...home, default_billing: true, default_shipping: true },
          { ...home, city: 'Albany' },
        ],
      }),
    );
    const [troy, albany] = before.addresses;

    const { body } = await put(before.id, {
      addresses: [
        { id: albany.id, postcode: '12207', default_billing: true },
        { ...home, city: 'Utica' },
      ],
    });

    expect(body.addresses.map(({ city, postcode }: typeof home) => `${city} ${postcode}`)).toEqual([
      'Albany 12207',
      'Utica 12180',
    ]);
    expect(body.default_billing).toBe(String(albany.id));
    expect(body).not.toHaveProperty('default_shipping');
    expect((await put(before.id, { addresses: [] })).body.addresses).toEqual([]);
    expect(await put(before.id, { addresses: [{ ...home, id: troy.id }] })).toMatchObject({ status: 404 });
  });

  test.each([
    ['the default billing one', 0],
    ['the default shipping one', 1],
    ['a plain one', 2],
  ])('an address that a save leaves out stays away: %s', async (_what, left) => {
    const { body: before } = await create(
      someone({
        addresses: [
          { ...home, city: 'Troy', default_billing: true },
          { ...home, city: 'Albany', default_shipping: true },
          { ...home, city: 'Utica' },
        ],
      }),
    );
    const kept = before.addresses
      .filter((_: object, at: number) => at !== left)
      .map(({ id }: { id: number }) => ({ id }));
    const wanted = kept.map(({ id }: { id: number }) => id);
    const ids = async () => {
      const { body } = await get(`/V1/customers/${before.id}`);
      return body.addresses.map(({ id }: { id: number }) => id);
    };
    const rivals = await Promise.all([1, 2].map(() => put(before.id, { addresses: kept })));
    expect(rivals.map(({ status }) => status)).toEqual([200, 200]);
    expect(await ids()).toEqual(wanted);
    const { body: after } = await put(before.id, { firstname: 'Anna' });
    expect(after.addresses.map(({ id }: { id: number }) => id)).toEqual(wanted);
    for (const field of ['default_billing', 'default_shipping'])
      expect([undefined, ...wanted.map(String)]).toContain(after[field]);

    const { body: other } = await create(someone());
    const refused = await put(before.id, { email: other.email, addresses: [] });
    expect(refused.status).toBe(400);
    expect(await ids()).toEqual(wanted);
    expect((await put(before.id, { addresses: [] })).body.addresses).toEqual([]);
    expect(await ids()).toEqual([]);
  });

  test('a customer cannot change another customer’s address', async () => {
    const { body: ann } = await create(someone({ addresses: [home] }));
    const { body: eve } = await create(someone());

    expect(await put(eve.id, { addresses: [{ ...home, id: ann.addresses[0].id }] })).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'addressId' } },
    });
    expect((await get(`/V1/customers/${ann.id}`)).body.addresses).toHaveLength(1);
  });

  test('what was read can be sent back and changes nothing', async () => {
    const { body: before } = await create(someone({ addresses: [{ ...home, default_shipping: true }] }));

    const { status, body } = await put(before.id, before);

    expect(status).toBe(200);
    expect({ ...body, updated_at: '' }).toEqual({ ...before, updated_at: '' });
  });

  test('a change to the e-mail of another account is refused', async () => {
    const [ann, eve] = [someone(), someone()];
    await create(ann);
    const { body } = await create(eve);

    expect(await put(body.id, { email: ann.email.toUpperCase() })).toMatchObject({
      status: 400,
      body: { message: 'A customer with the same email address already exists in an associated website.' },
    });
  });
});

describe('default customer group', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));

  const { fork, configure, remove } = booksOf(() => api.orm);

  const call = (method: string, path = '', body?: unknown) =>
    api.call(method, `/V1/customerGroups${path}`, { token: api.tokens.admin, body });
  const settle = (scope: 'default' | 'websites' | 'stores', scopeId: number, value: string) =>
    configure('customer/create_account/default_group', value, scope, scopeId);
  const absent = (fieldName: string, fieldValue: unknown) => ({
    status: 404,
    body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
  });

  let club: { id: number };
  let clubs = 0;
  beforeEach(async () => {
    await remove('config_value');
    club = (await call('POST', '', { group: { code: `Club ${++clubs}` } })).body;
  });

  test('the default group is "General" until another is set, and a store view may have its own', async () => {
    expect((await call('GET', '/default')).body.code).toBe('General');
    for (let time = 0; time < 2; time++)
      expect(await call('PUT', `/default/${club.id}`)).toMatchObject({ status: 200, body: club.id });
    await settle('stores', 2, '3');
    const ids = await Promise.all(
      ['/default', '/default/0', '/default/1', '/default/2'].map(async (path) => (await call('GET', path)).body.id),
    );
    expect(ids).toEqual([club.id, club.id, club.id, 3]);
    const { body } = await api.call('GET', '/rest/ca/V1/customerGroups/default', { token: api.tokens.admin });
    expect(body).toMatchObject({ id: 3, code: 'Retailer', tax_class_name: 'Retail Customer' });
  });

  test('the default group is what a new account gets', async () => {
    await call('PUT', `/default/${club.id}`);
    const customer = { email: `new${club.id}@example.com`, firstname: 'Ann', lastname: 'Lee' };
    expect((await api.call('POST', '/V1/customers', { body: { customer } })).body.group_id).toBe(club.id);
  });

  test('the default group is one there is, of a store view there is', async () => {
    expect(await call('PUT', '/default/0')).toMatchObject({
      status: 400,
      body: { parameters: { fieldName: 'id', value: 0 } },
    });
    expect(await call('PUT', '/default/9999')).toMatchObject(absent('id', 9_999));
    expect(await call('GET', '/default/9999')).toMatchObject(absent('storeId', 9_999));
    expect((await call('GET', '/default/first')).status).toBe(400);
    await settle('default', 0, 'none');
    expect(await call('GET', '/default')).toMatchObject({ status: 404, body: { parameters: { fieldValue: 'none' } } });
  });
});

describe('group without a website', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const call = (method: string, path = '', group?: object) =>
    api.call(method, `/V1/customerGroups${path}`, {
      token: api.tokens.admin,
      ...(group === undefined ? {} : { body: { group } }),
    });
  const without = (...websiteIds: number[]) => ({ extension_attributes: { exclude_website_ids: websiteIds } });

  test('a group keeps the websites it is not for, and is sent back as it was read', async () => {
    const { body: group } = await call('POST', '', { code: 'Trade', ...without(1) });
    expect(group).toMatchObject(without(1));

    expect((await call('PUT', `/${group.id}`, group)).body).toEqual(group);
    expect((await call('PUT', `/${group.id}`, { code: 'Trade' })).body).toEqual(group);
    const found = await call(
      'GET',
      '/search?searchCriteria[filter_groups][0][filters][0][field]=code' +
        '&searchCriteria[filter_groups][0][filters][0][value]=Trade',
    );
    expect(found.body.items).toEqual([group]);
  });

  test('a group that is for every website says nothing of them', async () => {
    const { body: group } = await call('POST', '', { code: 'Staff', ...without(1) });

    const { body: open } = await call('PUT', `/${group.id}`, { code: 'Staff', ...without() });
    expect(open).not.toHaveProperty('extension_attributes');
    expect((await call('GET', '/1')).body).not.toHaveProperty('extension_attributes');
  });
});
