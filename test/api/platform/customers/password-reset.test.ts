import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { booksOf } from '../../../support/books.ts';
import { expectRefused, type Refused } from '../../../support/expect-refused.ts';
import { aKioskShop, anEmail, type KioskShop } from '../../../support/kiosk.ts';
import { earlier } from '../../../support/moments.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { api, create, get, home, opensAShop, put, someone } from './customer-accounts.ts';

describe('customer outcomes', () => {
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
});

describe('customers', () => {
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
    const { body } = await create(
      someone({ email: 'x@example.com', addresses: [{ country_id: 'US', firstname: 'A' }] }),
    );
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
      'Minimum of different classes of characters in password is %1. Classes of characters: Lower Case, Upper ' +
        'Case, Digits, Special Characters.',
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
});

describe('password reset', () => {
  let shop: KioskShop;
  let email: string;
  let customerId: number;
  beforeAll(async () => {
    shop = await aKioskShop();
  });
  afterAll(() => shop.close());

  const password = 'Roll-out-2026';
  const newPassword = 'Roll-in-2027';
  const stranger = 'nobody@example.com';

  beforeEach(async () => {
    await shop.forgetTries();
    shop.mail.took = [];
    shop.mail.isEnabled = true;
    shop.begun.splice(0);
    email = anEmail();
    const customer = { email, firstname: 'Ada', lastname: 'Lovelace' };
    const opened = await shop.api.call('POST', '/V1/customers', { body: { customer, password } });
    customerId = opened.body.id;
  });

  const ask = (given: Record<string, unknown> = {}) =>
    shop.api.call('PUT', '/V1/customers/password', { body: { email, template: 'email_reset', ...given } });
  const reset = (resetToken: string, given: Record<string, unknown> = {}) =>
    shop.api.call('POST', '/V1/customers/resetPassword', { body: { email, resetToken, newPassword, ...given } });
  const check = (token: string, id = customerId) =>
    shop.api.call('GET', `/V1/customers/${id}/password/resetLinkToken/${token}`);
  const signIn = (word: string) =>
    shop.api.call('POST', '/V1/integration/customer/token', { body: { username: email, password: word } });
  const older = async (minutes: number) => {
    for (const { customer_id: id, asked_at: asked, expires_at: expires } of await shop.find(
      'customer_password_reset',
    )) {
      const moments = { asked_at: earlier(asked, minutes * 60_000), expires_at: earlier(expires, minutes * 60_000) };
      await shop.change('customer_password_reset', { customer_id: id }, moments);
    }
  };
  const linkIn = (text = '') => /https?:\/\/[^/]+(\/account\/password\/\d+\/\S+)/.exec(text)?.[1] ?? '';
  async function aToken(): Promise<string> {
    expect(await ask()).toMatchObject({ status: 200, body: true });
    expect(await shop.sendMails()).toEqual(['sent']);
    return linkIn(shop.mail.took.at(-1)?.text).split('/').at(-1) ?? '';
  }

  const mismatched = { status: 400, body: { message: 'The password token is mismatched. Reset and try again.' } };
  const expired = { status: 400, body: { message: 'The password token is expired. Reset and try again.' } };

  describe('a forgotten password', () => {
    test('is replaced by the token of the mail, and every session of the account ends', async () => {
      const before = (await signIn(password)).body;
      const token = await aToken();
      expect(shop.mail.took).toMatchObject([{ to: email }]);
      expect(await check(token)).toMatchObject({ status: 200, body: true });
      expect(await reset(token)).toMatchObject({ status: 200, body: true });
      expect((await shop.api.call('GET', '/V1/customers/me', { token: before })).status).toBe(401);
      expect((await signIn(password)).status).toBe(401);
      expect((await signIn(newPassword)).status).toBe(200);
    });

    test('one of eight uses of a token wins, and a later one is refused', async () => {
      const token = await aToken();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => reset(token, { newPassword: `Roll-in-202${index}` })),
      );
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200,
        ...Array<number>(7).fill(400),
      ]);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect((await signIn(`Roll-in-202${winner}`)).status).toBe(200);
      expect(await reset(token)).toMatchObject(mismatched);
      expect(await check(token)).toMatchObject(mismatched);
    });

    test('lifts the lock that six wrong passwords made', async () => {
      for (let guess = 0; guess < 6; guess++) await signIn('Wrong-guess-1');
      expect((await signIn(password)).status).toBe(401);
      await reset(await aToken());
      expect((await signIn(newPassword)).status).toBe(200);
    });

    test('stays forgotten when the new one is weak; the token stays good', async () => {
      const token = await aToken();
      const weak = await reset(token, { newPassword: 'short' });
      expect(weak).toMatchObject({ status: 400, body: { parameters: [8] } });
      expect((await reset(token, { newPassword: email })).status).toBe(400);
      expect((await reset(token)).status).toBe(200);
    });

    test('needs no e-mail beside the token, but a wrong one is refused', async () => {
      const token = await aToken();
      for (const other of [stranger, anEmail()]) expect(await reset(token, { email: other })).toMatchObject(mismatched);
      expect((await reset(token, { email: '' })).status).toBe(200);
    });
  });

  describe('a token', () => {
    test('works for two hours', async () => {
      const token = await aToken();
      await older(119);
      expect((await check(token)).status).toBe(200);
      await older(1);
      expect(await check(token)).toMatchObject(expired);
      expect(await reset(token)).toMatchObject(expired);
      expect((await signIn(password)).status).toBe(200);
    });

    test('is void once a later one is asked for; within ten minutes none is', async () => {
      const first = await aToken();
      expect((await ask()).body).toBe(true);
      expect(shop.begun).toEqual([]);
      expect((await check(first)).status).toBe(200);
      await older(10);
      const second = await aToken();
      expect(second).not.toBe(first);
      expect(await reset(first)).toMatchObject(mismatched);
      expect((await reset(second)).status).toBe(200);
    });

    test('is void after a change of the password, or of the e-mail', async () => {
      const token = await aToken();
      const own = (await signIn(password)).body;
      const body = { currentPassword: password, newPassword: 'Other-word-1' };
      expect((await shop.api.call('PUT', '/V1/customers/me/password', { token: own, body })).status).toBe(200);
      expect(await reset(token)).toMatchObject(mismatched);
      const next = await aToken();
      const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace' };
      await shop.api.call('PUT', `/V1/customers/${customerId}`, { token: shop.api.tokens.admin, body: { customer } });
      expect(await check(next)).toMatchObject(mismatched);
    });

    test('belongs to one account, and is never in the database in clear', async () => {
      const token = await aToken();
      const other = await shop.customer(anEmail());
      expect(await check(token, other)).toMatchObject(mismatched);
      expect(await check('made-up')).toMatchObject(mismatched);
      // Nobody learns here which ids have an account.
      expect(await check(token, 999_999)).toMatchObject(mismatched);
      expect((await check(token, 0)).status).toBe(400);
      const kept = [await shop.find('customer_password_reset'), await shop.find('mail_outbox')];
      expect(JSON.stringify(kept)).not.toContain(token);
    });
  });

  describe('a request for a new password', () => {
    test('of eight at once sends one mail', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
      expect(answers.map(({ body }) => body)).toEqual(Array(8).fill(true));
      expect(shop.begun).toHaveLength(1);
    });

    test('with an unknown e-mail names it and the website', async () => {
      const parameters = { fieldName: 'email', fieldValue: stranger, field2Name: 'websiteId', field2Value: 0 };
      const message = 'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value';
      expect(await ask({ email: stranger, websiteId: 0 })).toMatchObject({
        status: 404,
        body: { message, parameters },
      });
    });

    test('cannot be used to search for accounts: after ten strangers known ones are refused in the same words', async () => {
      const tries = await Promise.all(Array.from({ length: 12 }, () => ask({ email: stranger })));
      expect(tries.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        400,
        400,
        ...Array<number>(10).fill(404),
      ]);
      const [known, unknown] = [await ask(), await ask({ email: stranger })];
      expect({ ...known.body }).toEqual({ ...unknown.body });
      expect(known.status).toBe(400);
      expect(shop.begun).toEqual([]);
    });

    test('with known e-mails is not counted', async () => {
      for (let again = 0; again < 12; again++) expect((await ask()).status).toBe(200);
    });

    test.each([
      [{ email: undefined, template: undefined }, 'One or more input exceptions have occurred.'],
      [
        { template: 'email_other' },
        'Invalid value of "%value" provided for the %fieldName field. Possible values: %template1 or %template2.',
      ],
    ])('that is not complete is refused: %j', async (given, message) => {
      expect(await ask(given)).toMatchObject({ status: 400, body: { message } });
    });

    test('is answered false where the shop has no mail server', async () => {
      shop.mail.isEnabled = false;
      expect(await ask()).toMatchObject({ status: 200, body: false });
    });

    test('whose mail server is away is sent later; a token used meanwhile is not sent', async () => {
      shop.mail.fault = new Error('away');
      await ask();
      const [mailId = 0] = shop.begun;
      expect((await shop.sendMail(mailId)).state).toBe('waiting');
      shop.mail.fault = undefined;
      await shop.change('mail_outbox', { mail_id: mailId }, { due_at: new Date() });
      await shop.remove('customer_password_reset', { customer_id: customerId });
      expect((await shop.sendMail(mailId)).state).toBe('dropped');
      expect(shop.mail.took).toEqual([]);
    });
  });

  describe('the page behind the link', () => {
    const post = (link: string, word: string) =>
      shop.api.call('POST', link, {
        body: `password=${encodeURIComponent(word)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });

    test('shows a form, says what a password lacks, and works once', async () => {
      await aToken();
      const link = linkIn(shop.mail.took.at(-1)?.text);
      const page = await shop.api.call('GET', link);
      expect(page.body).toContain('name="password"');
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
      });
      expect((await post(link, 'short')).body).toContain('at least 8 characters');
      expect((await signIn(password)).status).toBe(200);
      expect((await post(link, newPassword)).body).toContain('Your password is changed.');
      expect((await signIn(newPassword)).status).toBe(200);
      expect((await post(link, newPassword)).status).toBe(404);
      expect((await shop.api.call('GET', link)).status).toBe(404);
    });

    test('takes no password that is too long to sign in with, or has NUL', async () => {
      await aToken();
      const link = linkIn(shop.mail.took.at(-1)?.text);
      const long = `Aa1${'x'.repeat(1_000)}`;
      expect((await post(link, long)).body).toContain('A password has at most 1000 characters');
      expect((await post(link, 'Roll-in\0-2027')).status).toBe(400);
      expect((await signIn(password)).status).toBe(200);
      expect((await post(link, newPassword)).body).toContain('Your password is changed.');
    });

    test('is not there for a made-up link, or that of another account', async () => {
      const token = await aToken();
      const other = await shop.customer(anEmail());
      for (const link of [`/account/password/${other}/${token}`, `/account/password/${customerId}/${'a'.repeat(43)}`])
        expect((await shop.api.call('GET', link)).status).toBe(404);
    });
  });
});
