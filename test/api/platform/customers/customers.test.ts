import { expect, test } from 'vitest';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { opensAShop, api, get, put, create, someone, home } from './customer-accounts.ts';

opensAShop();

test('a customer is opened with an address and read back', async () => {
  const { status, body } = await create(
    someone({
      middlename: 'J.',
      dob: '1990-02-28',
      gender: 2,
      addresses: [{ ...home, company: 'Lee Ltd', default_billing: true, defaultShipping: true }],
      custom_attributes: [{ attribute_code: 'loyalty_card', value: '77' }],
    }),
  );

  expect(status).toBe(200);
  expect(body).toMatchObject({
    group_id: 1,
    store_id: 1,
    website_id: 1,
    created_in: 'Default Store View',
    firstname: 'Ann',
    middlename: 'J.',
    dob: '1990-02-28',
    gender: 2,
    disable_auto_group_change: 0,
    custom_attributes: [{ attribute_code: 'loyalty_card', value: '77' }],
  });
  const [address] = body.addresses;
  expect(address).toEqual({
    id: address.id,
    customer_id: body.id,
    region: { region_code: 'NY', region: 'New York', region_id: 43 },
    region_id: 43,
    country_id: 'US',
    street: ['1 Main St', 'Flat 2'],
    company: 'Lee Ltd',
    telephone: '555-0100',
    postcode: '12180',
    city: 'Troy',
    firstname: 'Ann',
    lastname: 'Lee',
    default_shipping: true,
    default_billing: true,
  });
  expect(body).toMatchObject({ default_billing: String(address.id), default_shipping: String(address.id) });
  expect((await get(`/V1/customers/${body.id}`)).body).toEqual(body);
  expect(body).not.toHaveProperty('prefix');
});

test('an unknown customer is not found', async () => {
  const unknown = {
    status: 404,
    body: {
      message: 'No such entity with %fieldName = %fieldValue',
      parameters: { fieldName: 'customerId', fieldValue: 9999 },
    },
  };

  expect(await get('/V1/customers/9999')).toMatchObject(unknown);
  expect(await put(9999, { firstname: 'Bo' })).toMatchObject(unknown);
});

test('an e-mail has one account per website, whatever its case, however many ask at once', async () => {
  const answers = await eightAtOnce((turn) =>
    create({ email: turn % 2 ? 'Ada@Example.com' : 'ada@example.com', firstname: 'Ada', lastname: 'B' }),
  );

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.find(({ status }) => status === 400)?.body).toEqual({
    message: 'A customer with the same email address already exists in an associated website.',
  });
  expect(await create({ email: 'ada@example.com', firstname: 'A', lastname: 'B', website_id: 2 })).toMatchObject({
    status: 200,
    body: { website_id: 2, store_id: 3, created_in: 'Deutsch' },
  });
});

test('all missing fields are reported at once, and no customer is saved', async () => {
  expect((await create({ email: 'x@example.com' })).body).toEqual({
    message: 'One or more input exceptions have occurred.',
    errors: ['firstname', 'lastname'].map((fieldName) => ({
      message: '"%fieldName" is required. Enter and try again.',
      parameters: { fieldName },
    })),
  });
  const { body } = await create(someone({ email: 'x@example.com', addresses: [{ country_id: 'US', firstname: 'A' }] }));
  expect(body.errors.map(({ parameters }: { parameters: { fieldName: string } }) => parameters.fieldName)).toEqual([
    'lastname',
    'street',
    'city',
    'telephone',
    'postcode',
    'regionId',
  ]);
  expect(await api.orm.em.fork().count(Customer, { email: 'x@example.com' })).toBe(0);
});

test.each([
  [{ firstname: '<b>' }, 'First Name is not valid!'],
  [{ lastname: 'x'.repeat(256) }, 'Last Name is not valid!'],
  [{ middlename: '{{' }, 'Middle Name is not valid!'],
  [{ email: 'nobody' }, '"Email" is not a valid email address.'],
  [{ email: 'a@b.com\r\nBcc: c@d.com' }, '"Email" is not a valid email address.'],
  [{ group_id: 77 }, 'The specified customer group id does not exist.'],
  [{ store_id: 3, website_id: 1 }, 'The store view is not in the associated website.'],
])('a customer with %j is refused', async (wrong, message) => {
  expect(await create(someone(wrong))).toMatchObject({ status: 400, body: { message } });
});

test('names from everywhere are taken', async () => {
  const { body } = await create(someone({ firstname: 'Zoë-Łucja O’Neill', lastname: 'Nguyễn, Jr. 3' }));

  expect(body).toMatchObject({ firstname: 'Zoë-Łucja O’Neill', lastname: 'Nguyễn, Jr. 3' });
});

test('every caller may open an account, but only those who manage customers choose the group', async () => {
  const asGuest = await api.call('POST', '/V1/customers', { body: { customer: someone({ group_id: 2 }) } });

  expect(asGuest).toMatchObject({ status: 200, body: { group_id: 1 } });
  expect((await create(someone({ group_id: 2 }))).body.group_id).toBe(2);
});

test('an account is saved on the website of the call, and never on the admin one', async () => {
  expect((await create(someone(), undefined, '/rest/eu_de/V1/customers')).body).toMatchObject({ website_id: 2 });
  expect((await create(someone(), undefined, '/rest/all/V1/customers')).body).toMatchObject({
    website_id: 1,
    store_id: 1,
  });
});

test('the id of an account there is opens no second one and changes nothing', async () => {
  const { body: ann } = await create(someone());

  expect(await create(someone({ id: ann.id, firstname: 'Eve' }))).toMatchObject({
    status: 400,
    body: { message: 'This customer already exists in this store.' },
  });
  expect((await get(`/V1/customers/${ann.id}`)).body.firstname).toBe('Ann');
});

test('a customer with a password can sign in, and the password is in no answer', async () => {
  const ann = someone();
  const { body } = await create(ann, 'Tr0ub4dor&3');

  const signIn = await api.call('POST', '/V1/integration/customer/token', {
    body: { username: ann.email, password: 'Tr0ub4dor&3' },
  });
  expect(signIn.status).toBe(200);
  expect((await api.call('GET', '/V1/customers/me', { token: signIn.body })).body).toEqual(body);
  expect((await get('/V1/customers/me')).body.parameters).toEqual({ resources: 'self' });
  expect(JSON.stringify(body)).not.toMatch(/password|\$2[aby]\$/);
  expect(JSON.stringify((await get('/V1/customers/search?searchCriteria=')).body)).not.toMatch(/password|\$2[aby]\$/);
});

test.each([
  ['short1!', 'The password needs at least %1 characters. Create a new password and try again.'],
  [
    'onlysmallletters',
    'Minimum of different classes of characters in password is %1. Classes of characters: Lower Case, Upper Case, Digits, Special Characters.',
  ],
  ['Same1@Example.com', "The password can't be the same as the email address. Create a new password and try again."],
])('the password %s is refused', async (password, message) => {
  expect(await create(someone({ email: 'same1@example.com' }), password)).toMatchObject({
    status: 400,
    body: { message },
  });
});

test('customers are found by name and by fields of the billing address', async () => {
  const { body: kim } = await create(
    someone({
      firstname: 'Kim',
      lastname: 'Possible',
      prefix: 'Dr.',
      suffix: 'Jr.',
      disable_auto_group_change: 1,
      addresses: [{ ...home, telephone: '555-7777', company: 'Kim Co', default_billing: true }],
    }),
  );
  const find = async (field: string, value: string, type = 'eq') => {
    const filter = `searchCriteria[filter_groups][0][filters][0]`;
    const query = `${filter}[field]=${field}&${filter}[value]=${encodeURIComponent(value)}&${filter}[condition_type]=${type}`;
    const { body } = await get(`/V1/customers/search?${query}`);
    return body.items.map(({ id }: { id: number }) => id);
  };

  expect(await find('billing_telephone', '555-7777')).toEqual([kim.id]);
  expect(await find('billing_company', 'kim co')).toEqual([kim.id]);
  expect(await find('name', 'kim possible')).toEqual([kim.id]);
  expect(await find('email', kim.email.toUpperCase())).toEqual([kim.id]);
  expect(await find('lastname', 'poss%', 'like')).toEqual([kim.id]);
  expect(await find('prefix', 'dr.')).toEqual([kim.id]);
  expect(await find('suffix', 'jr.')).toEqual([kim.id]);
  expect(await find('disable_auto_group_change', '1')).toEqual([kim.id]);
  expect(await find('default_billing', kim.default_billing)).toEqual([kim.id]);
  expect(await get('/V1/customers/search')).toMatchObject({ status: 400 });
});

test('customers cannot be searched by their passwords', async () => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const { status, body } = await get(`/V1/customers/search?${filter}[field]=password_hash&${filter}[value]=x`);

  expect({ status, message: body.message }).toEqual({ status: 400, message: 'Invalid attribute name: %1' });
});

test('groups are listed and read', async () => {
  const { body } = await get('/V1/customerGroups/search?searchCriteria=');

  expect(body.items.slice(0, 2)).toEqual([
    { id: 0, code: 'NOT LOGGED IN', tax_class_id: 3, tax_class_name: 'Retail Customer' },
    { id: 1, code: 'General', tax_class_id: 3, tax_class_name: 'Retail Customer' },
  ]);
  expect((await get('/V1/customerGroups/2')).body.code).toBe('Wholesale');
  expect(await get('/V1/customerGroups/77')).toMatchObject({
    status: 404,
    body: { parameters: { fieldName: 'id', fieldValue: 77 } },
  });
});
