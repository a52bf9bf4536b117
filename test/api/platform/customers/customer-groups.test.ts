import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CatalogRule } from '../../../../db/platform/catalog-rules/catalog-rule.entity.ts';
import { SalesRule } from '../../../../db/platform/sales-rules/sales-rule.entity.ts';
import { givePointsByHand } from '../../../../db/reward-points/give-points.ts';
import { money } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { aCatalogRule } from '../../../support/builders/catalog-rule.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';
import { aKioskShop, anEmail, type KioskShop } from '../../../support/kiosk.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('account confirmation', () => {
  let shop: KioskShop;
  let email: string;
  let customerId: number;
  beforeAll(async () => {
    shop = await aKioskShop();
    await shop.set('customer/create_account/confirm', '1');
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    shop.mail.took = [];
    shop.begun.splice(0);
    ({ email, customerId } = await anAccount());
  });

  const password = 'Roll-out-2026';
  async function anAccount(more: Record<string, unknown> = {}) {
    const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace', ...more };
    const { body } = await shop.api.call('POST', '/V1/customers', { body: { customer, password } });
    expect(body.confirmation).toBeUndefined();
    return { email: customer.email, customerId: Number(body.id) };
  }

  const manage = (method: string, path: string, body?: unknown) =>
    shop.api.call(method, `/V1/customers/${path}`, { token: shop.api.tokens.admin, body });
  const shown = async (id = customerId) => (await manage('GET', String(id))).body.confirmation;
  const activate = (confirmationKey: string, who = email) => manage('PUT', `${who}/activate`, { confirmationKey });
  const activateOwn = async (confirmationKey: string) =>
    shop.api.call('PUT', '/V1/customers/me/activate', {
      token: await shop.api.customerToken(customerId),
      body: { confirmationKey },
    });
  const signIn = () => shop.api.call('POST', '/V1/integration/customer/token', { body: { username: email, password } });
  const status = async (id = customerId) => (await manage('GET', `${id}/confirm`)).body;
  const linkIn = (text = '') => /https?:\/\/[^/]+(\/account\/confirm\/\d+\/\S+)/.exec(text)?.[1] ?? '';
  async function link(): Promise<string> {
    expect(await shop.sendMails()).toEqual(['sent']);
    return linkIn(shop.mail.took.at(-1)?.text);
  }
  const keyOf = (path: string) => path.split('/').at(-1) ?? '';

  const unconfirmed = { status: 401, body: { message: "This account isn't confirmed. Verify and try again." } };
  const active = { status: 400, body: { message: 'The account is already active.' } };
  const wrong = {
    status: 400,
    body: { message: 'The confirmation token is invalid. Verify the token and try again.' },
  };

  /** The mail is as one of ten minutes ago: another may follow. */
  async function mailIsOld() {
    for (const { mail_id: id, mail_key: key } of await shop.find('mail_outbox', { customer_id: customerId }))
      await shop.change('mail_outbox', { mail_id: id }, { mail_key: `${key} before` });
  }

  describe('an account of a shop that asks', () => {
    test('signs in once its e-mail is confirmed by the button behind the link', async () => {
      expect(await signIn()).toMatchObject(unconfirmed);
      expect(await status()).toBe('account_confirmation_required');
      const path = await link();
      expect(shop.mail.took).toMatchObject([{ to: email }]);
      expect((await shop.api.call('GET', path)).body).toContain('<button>Yes, I opened it</button>');
      expect(await signIn()).toMatchObject(unconfirmed);
      const form = { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      expect((await shop.api.call('POST', path, form)).body).toContain('Your account is confirmed.');
      expect((await signIn()).status).toBe(200);
      expect(await status()).toBe('account_confirmed');
      expect((await shop.api.call('GET', path)).status).toBe(404);
    });

    test('with a wrong password is not told that it waits', async () => {
      const answer = await shop.api.call('POST', '/V1/integration/customer/token', {
        body: { username: email, password: 'Wrong-guess-1' },
      });
      expect(answer.body.message).toContain('The account sign-in was incorrect');
    });

    test('is confirmed by its customer with the key of the mail alone', async () => {
      const key = keyOf(await link());
      for (const other of ['made up', await shown()]) expect(await activateOwn(other)).toMatchObject(wrong);
      expect(await activateOwn(key)).toMatchObject({ status: 200, body: { id: customerId } });
      expect(await activateOwn(key)).toMatchObject(active);
    });

    test('is confirmed by staff with the key of the mail, or with what the account shows', async () => {
      const key = keyOf(await link());
      expect(await activate('made up')).toMatchObject(wrong);
      expect(await activate(key)).toMatchObject({ status: 200, body: { id: customerId } });
      const other = await anAccount();
      expect((await activate(await shown(other.customerId), other.email)).status).toBe(200);
      expect((await activate(key, 'nobody@example.com')).status).toBe(404);
    });

    test('of eight who confirm it at once one wins', async () => {
      const key = keyOf(await link());
      const answers = await Promise.all(Array.from({ length: 8 }, () => activate(key)));
      expect(answers.map(({ status: is }) => is).toSorted((one, other) => one - other)).toEqual([
        200,
        ...Array<number>(7).fill(400),
      ]);
    });

    test('is mailed the same link again, but not within ten minutes', async () => {
      const first = await link();
      const again = () => manage('POST', 'confirm', { email, websiteId: 1 });
      await mailIsOld();
      expect((await Promise.all([again(), again(), again()])).map(({ body }) => body)).toEqual([true, true, true]);
      expect(await link()).toBe(first);
      await activate(keyOf(first));
      expect(await again()).toMatchObject({ status: 400, body: { message: "Confirmation isn't needed." } });
    });

    test('gets the newsletter it asked for when it is confirmed', async () => {
      const asked = await anAccount({ extension_attributes: { is_subscribed: true } });
      const isSubscribed = async () =>
        (await manage('GET', String(asked.customerId))).body.extension_attributes.is_subscribed;
      expect(await isSubscribed()).toBe(false);
      await activate(await shown(asked.customerId), asked.email);
      expect(await isSubscribed()).toBe(true);
    });

    test('that was confirmed before its mail went out gets none', async () => {
      await activate(await shown());
      expect(await shop.sendMails()).toEqual(['dropped']);
    });
  });

  test('the key of one account does not open another', async () => {
    const [mine, other] = [keyOf(await link()), await anAccount()];
    expect(await activate(mine, other.email)).toMatchObject(wrong);
  });

  test('the key that went to a former e-mail does not confirm the new one', async () => {
    const path = await link();
    const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace' };
    expect((await manage('PUT', String(customerId), { customer })).status).toBe(200);
    expect((await shop.api.call('GET', path)).status).toBe(404);
    expect(await activate(keyOf(path), customer.email)).toMatchObject(wrong);
    await mailIsOld();
    await manage('POST', 'confirm', { email: customer.email, websiteId: 1 });
    expect(await activate(keyOf(await link()), customer.email)).toMatchObject({ status: 200 });
    expect(shop.mail.took.at(-1)).toMatchObject({ to: customer.email });
  });

  test('a new password by mail does not confirm an account, and an unknown e-mail has no mail to repeat', async () => {
    await link();
    await shop.api.call('PUT', '/V1/customers/password', { body: { email, template: 'email_reset' } });
    await shop.sendMails();
    const [, resetToken] = /\/account\/password\/\d+\/(\S+)/.exec(shop.mail.took.at(-1)?.text ?? '') ?? [];
    const body = { email, resetToken, newPassword: password };
    expect((await shop.api.call('POST', '/V1/customers/resetPassword', { body })).status).toBe(200);
    expect(await signIn()).toMatchObject(unconfirmed);
    expect((await manage('POST', 'confirm', { email: 'nobody@example.com' })).status).toBe(404);
  });

  test('staff may open an account with a key of their own; a stranger may not', async () => {
    await shop.remove('config_value', { path: 'customer/create_account/confirm' });
    const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace', confirmation: 'a4fg7h893e39d' };
    const opened = await shop.api.call('POST', '/V1/customers', { token: shop.api.tokens.admin, body: { customer } });
    expect(await status(opened.body.id)).toBe('account_confirmation_required');
    expect((await activate('a4fg7h893e39d', customer.email)).status).toBe(200);
    expect(await status(opened.body.id)).toBe('account_confirmation_not_required');
    const stranger = await anAccount({ confirmation: 'a4fg7h893e39d' });
    expect(await shown(stranger.customerId)).toBeUndefined();
    await shop.set('customer/create_account/confirm', '1');
  });

  test('an unknown customer has no status', async () => {
    expect((await manage('GET', '999999/confirm')).status).toBe(404);
  });
});

describe('accounts', () => {
  const api = useApi();
  let token: string;
  beforeAll(async () => {
    await aShop(fork());
    token = await api.tokenFor('Magento_Customer::customer', 'Magento_Customer::manage', 'Magento_Customer::delete');
  });

  const { fork, configure, change, insert, remove } = booksOf(() => api.orm);

  const home = {
    ...{ firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', postcode: '12180' },
    ...{ country_id: 'US', region: { region_id: 43 }, telephone: '555-0100' },
  };
  const password = 'Roll-out-2026';

  let ann: { id: number; email: string; addresses: { id: number }[] };
  let own: string;
  let people = 0;
  beforeEach(async () => {
    const addresses = [
      { ...home, default_billing: true },
      { ...home, city: 'Ithaca' },
    ];
    const customer = { email: `ann${++people}@example.com`, firstname: 'Ann', lastname: 'Lee', addresses };
    ann = (await api.call('POST', '/V1/customers', { token, body: { customer, password } })).body;
    own = await api.customerToken(ann.id);
  });

  const call = (method: string, path: string, body?: unknown) => api.call(method, path, { token, body });
  const me = (method: string, path = '', body?: unknown) =>
    api.call(method, `/V1/customers/me${path}`, { token: own, body });
  const signIn = (word: string) =>
    api.call('POST', '/V1/integration/customer/token', { body: { username: ann.email, password: word } });
  const absent = (fieldName: string, fieldValue: number) => ({
    status: 404,
    body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
  });

  describe('an account that is deleted', () => {
    test('is gone with its addresses and its tokens; a repeat finds nothing', async () => {
      expect(await call('DELETE', `/V1/customers/${ann.id}`)).toMatchObject({ status: 200, body: true });
      expect((await me('GET')).status).toBe(401);
      expect(await call('DELETE', `/V1/customers/${ann.id}`)).toMatchObject(absent('customerId', ann.id));
      const first = ann.addresses[0]!.id;
      expect(await call('GET', `/V1/customers/addresses/${first}`)).toMatchObject(absent('addressId', first));
    });

    test('stays where its books must: points that were given', async () => {
      const points = { customerId: ann.id, websiteId: 1, points: 5, reason: 'a present' };
      await givePointsByHand(fork(), points);
      expect(await call('DELETE', `/V1/customers/${ann.id}`)).toMatchObject({
        status: 400,
        body: { message: 'The customer has store credit or points and cannot be deleted.' },
      });
      expect((await me('GET')).status).toBe(200);
    });

    const shipped = { paid: true, shipped: true };
    const ordersBecome = (state: string) => change('sales_order', { customer_id: ann.id }, { state });
    test.each([
      ['money that is owed', { paid: false }, () => ordersBecome('closed')],
      ['an open layaway', { layaway: true }, () => ordersBecome('canceled')],
      ['points to be worked out', shipped, () => remove('reward_points_due')],
    ])('stays as long as one of its orders has %s', async (_what, wanted, settles) => {
      await anOrder(fork(), { ...wanted, customerId: ann.id });
      const deleted = () => call('DELETE', `/V1/customers/${ann.id}`);
      const message = 'The customer has orders that are not settled and cannot be deleted.';
      expect(await deleted()).toMatchObject({ status: 400, body: { message } });
      expect((await me('GET')).status).toBe(200);
      await settles();
      expect((await deleted()).status).toBe(200);
    });

    test('stays as long as a refund to its credit is not booked', async () => {
      const { orderId } = await anOrder(fork(), { customerId: ann.id });
      await remove('reward_points_due');
      await insert('credit_refund', {
        ...{ order_id: orderId, name_tail: 'tail', kind: 'store_credit', provider_code: 'embedded', website_id: 1 },
        ...{ amount: 1, base_amount: 1, currency_code: 'USD', base_currency_code: 'USD', reason: 'back' },
      });
      expect((await call('DELETE', `/V1/customers/${ann.id}`)).status).toBe(400);
      await change('credit_refund', {}, { state: 'booked', concluded_at: new Date() });
      expect((await call('DELETE', `/V1/customers/${ann.id}`)).status).toBe(200);
    });
  });

  describe('addresses', () => {
    test('are read by themselves, and a default that is missing is an empty list', async () => {
      const [billing, other] = ann.addresses.map(({ id }) => id);
      expect((await call('GET', `/V1/customers/${ann.id}/billingAddress`)).body).toMatchObject({
        ...{ id: billing, city: 'Troy', default_billing: true },
      });
      expect((await call('GET', `/V1/customers/${ann.id}/shippingAddress`)).body).toEqual([]);
      expect((await me('GET', '/billingAddress')).body).toMatchObject({ id: billing, city: 'Troy' });
      expect((await me('GET', '/shippingAddress')).body).toEqual([]);
      expect((await call('GET', '/V1/customers/me/billingAddress')).status).toBe(401);
      expect((await call('GET', `/V1/customers/addresses/${other}`)).body).toMatchObject({ id: other, city: 'Ithaca' });
      expect(await call('GET', '/V1/customers/999999/billingAddress')).toMatchObject(absent('customerId', 999_999));
    });

    test('that are deleted are no default any more', async () => {
      const [billing] = ann.addresses.map(({ id }) => id);
      const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `/V1/addresses/${billing}`)));
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404, 404]);
      const { body } = await me('GET');
      expect(body.addresses.map(({ city }: { city: string }) => city)).toEqual(['Ithaca']);
      expect(body).not.toHaveProperty('default_billing');
    });
  });

  describe('customers themselves', () => {
    test('change only their own account, and only fields that are theirs', async () => {
      const customer = { id: 999, email: ann.email, firstname: 'Anna', lastname: 'Lee', group_id: 3, store_id: 2 };
      expect(await me('PUT', '', { customer })).toMatchObject({
        status: 200,
        body: { id: ann.id, firstname: 'Anna', group_id: 1, store_id: 1 },
      });
      expect((await me('GET')).body.addresses).toHaveLength(2);
    });

    test('change their password, which signs them out everywhere', async () => {
      const change = { currentPassword: password, newPassword: 'Roll-in-2027' };
      expect(await me('PUT', '/password', change)).toMatchObject({ status: 200, body: true });
      expect((await me('GET')).status).toBe(401);
      expect((await signIn(password)).status).toBe(401);
      expect((await signIn('Roll-in-2027')).status).toBe(200);
    });

    test('change it once: of two changes at once that know the present one the other is refused', async () => {
      const changes = ['Roll-in-2027', 'Roll-by-2028'].map((newPassword) =>
        me('PUT', '/password', { currentPassword: password, newPassword }),
      );
      const answers = (await Promise.all(changes)).map(({ status }) => status);
      expect(answers.toSorted((one, other) => one - other)).toEqual([200, 401]);
    });

    test('keep no token that was issued for the former password', async () => {
      const change = { currentPassword: password, newPassword: 'Roll-in-2027' };
      const [tokens] = await Promise.all([
        Promise.all([1, 2, 3, 4].map(() => signIn(password))),
        me('PUT', '/password', change),
      ]);
      for (const { status, body: old } of tokens.filter(({ status }) => status === 200))
        expect([status, (await api.call('GET', '/V1/customers/me', { token: old })).status]).toEqual([200, 401]);
    });

    test('learn which of the two passwords is missing', async () => {
      expect(await me('PUT', '/password', { currentPassword: '', newPassword: 'Roll-in-2027' })).toMatchObject({
        status: 400,
        body: {
          message: '"%fieldName" is required. Enter and try again.',
          parameters: { fieldName: 'currentPassword' },
        },
      });
    });

    test('must know the present one, and six guesses lock it', async () => {
      const guess = () => me('PUT', '/password', { currentPassword: 'wrong', newPassword: 'Roll-in-2027' });
      for (let time = 0; time < 6; time++)
        expect(await guess()).toMatchObject({
          status: 401,
          body: { message: "The password doesn't match this account. Verify the password and try again." },
        });
      expect((await me('PUT', '/password', { currentPassword: password, newPassword: 'Roll-in-2027' })).status).toBe(
        401,
      );
    });

    test('get no weak password', async () => {
      expect(await me('PUT', '/password', { currentPassword: password, newPassword: 'short' })).toMatchObject({
        status: 400,
        body: { parameters: [8] },
      });
      expect((await signIn(password)).status).toBe(200);
    });
  });

  test('a check describes each fault, and saves nothing', async () => {
    const customer = { email: 'nobody', firstname: '', lastname: 'L{e}e' };
    expect((await call('PUT', '/V1/customers/validate', { customer })).body).toEqual({
      valid: false,
      messages: [
        'The "First Name" attribute value is empty. Set the attribute and try again.',
        'Last Name is not valid!',
        '"Email" is not a valid email address.',
      ],
    });
    const good = { email: ann.email, firstname: 'Ann', lastname: 'Lee' };
    expect((await call('PUT', '/V1/customers/validate', { customer: good })).body).toEqual({
      valid: true,
      messages: [],
    });
  });

  test('no caller finds out who has an account, unless the merchant permits it', async () => {
    const ask = async (customerEmail: string) =>
      (await api.call('POST', '/V1/customers/isEmailAvailable', { body: { customerEmail, websiteId: 1 } })).body;
    expect([await ask(ann.email), await ask('new@example.com')]).toEqual([true, true]);

    await configure('checkout/options/enable_guest_checkout_login', '1');
    expect([await ask(ann.email.toUpperCase()), await ask('new@example.com')]).toEqual([false, true]);
  });

  test('no account can only be read', async () => {
    expect((await call('GET', `/V1/customers/${ann.id}/permissions/readonly`)).body).toBe(false);
    expect(await call('GET', '/V1/customers/999999/permissions/readonly')).toMatchObject(absent('customerId', 999_999));
  });
});

describe('customer groups', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));

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
      expect(await put({ tax_class_id: 3 })).toMatchObject({
        status: 400,
        body: { parameters: { fieldName: 'code' } },
      });
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
});
