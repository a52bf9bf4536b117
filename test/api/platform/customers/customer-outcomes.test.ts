import { expect, test } from 'vitest';
import { booksOf } from '../../../support/books.ts';
import { expectRefused, type Refused } from '../../../support/expect-refused.ts';
import { api, create, get, home, opensAShop, put, someone } from './customer-accounts.ts';

opensAShop();

const noEntity = 'No such entity with %fieldName = %fieldValue';
const aNewCustomer = async (more: object = {}): Promise<{ id: number; email: string; addresses: { id: number }[] }> =>
  (await create(someone(more))).body;
/** A change by the customer who calls. */
const putOwn = async (id: number, more: object) =>
  api.call('PUT', '/V1/customers/me', {
    token: await api.customerToken(id),
    body: { customer: { ...someone(), ...more } },
  });

/** A change by the customer who calls, with an id in the query. */
const changeBy = async (own: { id: number }, customerId: number, customer: object) =>
  api.call('PUT', `/V1/customers/me?customerId=${customerId}`, {
    token: await api.customerToken(own.id),
    body: { customer },
  });
const noEmail = 'The customer email is missing. Enter and try again.';

const refusals: readonly Refused[] = [
  {
    when: 'a change to a group that does not exist',
    send: async () => put((await aNewCustomer()).id, { group_id: 9_999 }),
    status: 400,
    said: 'The specified customer group id does not exist.',
  },
  {
    when: 'a change that takes both names',
    send: async () => put((await aNewCustomer()).id, { firstname: '', lastname: '' }),
    status: 400,
    said: 'One or more input exceptions have occurred.',
  },
  {
    when: 'the e-mail of another account, by the customer who calls',
    send: async () => putOwn((await aNewCustomer()).id, { email: (await aNewCustomer()).email }),
    status: 400,
    said: 'A customer with the same email address already exists in an associated website.',
  },
  {
    when: 'the address of another account, by the customer who calls',
    send: async () => {
      const [other] = (await aNewCustomer({ addresses: [home] })).addresses;
      return putOwn((await aNewCustomer()).id, { addresses: [{ ...home, id: other?.id }] });
    },
    status: 404,
    said: noEntity,
  },
  {
    when: 'the id of another account in the query and no e-mail, by the customer who calls',
    send: async () => changeBy(await aNewCustomer(), (await aNewCustomer()).id, { id: '-1', Id: '1' }),
    status: 400,
    said: noEmail,
  },
  {
    when: 'the id of another account in the body and no e-mail, by the customer who calls',
    send: async () => {
      const own = await aNewCustomer();
      return changeBy(own, own.id, { id: '-1', Id: '1' });
    },
    status: 400,
    said: noEmail,
  },
  {
    when: 'the default address of nobody',
    send: () => get('/V1/customers/999999/shippingAddress'),
    status: 404,
    said: noEntity,
  },
  {
    when: 'a search of groups by what they do not have',
    send: () => get('/V1/customerGroups/search?searchCriteria[filterGroups][0][filters][0][field]=shoe_size'),
    status: 400,
    said: 'Invalid attribute name: %1',
  },
  {
    when: 'a group of new accounts that was set by hand and does not exist',
    send: async () => {
      await booksOf(() => api.orm).configure('customer/create_account/default_group', '9999', 'stores', 3);
      return get('/V1/customerGroups/default/3');
    },
    status: 404,
    said: 'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value',
  },
];

test.each(refusals)('$when is refused', expectRefused);

test('a refused change leaves the customer as it was', async () => {
  const { id } = await aNewCustomer();
  const { body: before } = await get(`/V1/customers/${id}`);
  await put(id, { firstname: 'Eve', group_id: 9_999 });
  await putOwn(id, { firstname: 'Eve', email: (await aNewCustomer()).email });
  expect((await get(`/V1/customers/${id}`)).body).toEqual(before);
});

test('a customer who names the own id need not send what stays', async () => {
  const own = await aNewCustomer();
  const { body } = await changeBy(own, own.id, { id: own.id, firstname: 'Eve' });
  expect(body).toMatchObject({ id: own.id, email: own.email, firstname: 'Eve' });
});
