import { expect, test } from 'vitest';
import { opensAShop, get, put, create, someone, home } from './customer-accounts.ts';

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
