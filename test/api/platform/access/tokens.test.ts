import { describe, expect, test } from 'vitest';
import { createIntegrationToken } from '../../../../db/platform/access/create-integration-token.ts';
import { Integration } from '../../../../db/platform/access/integration.entity.ts';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { Website } from '../../../../db/platform/stores/website.entity.ts';
import { StoreView } from '../../../../db/platform/stores/store-view.entity.ts';
import { booksOf } from '../../../support/books.ts';
import {
  opensTheDoor,
  later,
  api,
  passwordHash,
  aName,
  anAdmin,
  askAdminToken,
  incorrect,
} from './people-with-passwords.ts';

opensTheDoor();

const { fork, find } = booksOf(() => api.orm);

async function aCustomer(websiteId = 1, storeId = 1) {
  const em = fork();
  const customer = em.create(Customer, {
    websiteId,
    storeId,
    groupId: 1,
    email: `${aName('Ann')}@Example.com`,
    firstname: 'Ann',
    lastname: 'Lee',
    passwordHash,
  });
  await em.flush();
  return customer;
}
const askCustomerToken = (username: string, password: string, path = '/V1/integration/customer/token') =>
  api.call('POST', path, { body: { username, password } });

describe('an administrator', () => {
  test('signs in with user name and password, and the token opens what the role allows', async () => {
    const { status, body: token, headers } = await askAdminToken(await anAdmin(), 'correct horse');

    expect({ status, type: typeof token, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      type: 'string',
      cache: 'no-store',
    });
    expect((await api.call('GET', '/V1/orders', { token })).body).toMatchObject({ userType: 'admin' });
    expect((await api.call('GET', '/V1/me', { token })).status).toBe(401);
  });

  test('may write the user name in any case', async () => {
    expect((await askAdminToken((await anAdmin()).toUpperCase(), 'correct horse')).status).toBe(200);
  });

  test('is signed out after four hours', async () => {
    const { body: token } = await askAdminToken(await anAdmin(), 'correct horse');
    later(4 * 3_600 - 1);
    expect((await api.call('GET', '/V1/orders', { token })).status).toBe(200);
    later(2);
    expect((await api.call('GET', '/V1/orders', { token })).status).toBe(401);
    expect((await api.call('GET', '/V1/open', { token })).body).toEqual({ userType: 'guest', name: 'guest' });
  });

  test('is turned away in the same words whatever was wrong', async () => {
    const wrong = [
      await askAdminToken(await anAdmin(), 'wrong'),
      await askAdminToken('nobody', 'correct horse'),
      await askAdminToken(await anAdmin({ isActive: false }), 'correct horse'),
      await askAdminToken(await anAdmin(), `correct horse${'!'.repeat(80)}`),
    ];
    expect(wrong.map(({ status, body }) => ({ status, body }))).toEqual(
      wrong.map(() => ({ status: 401, body: incorrect })),
    );
  });

  test('without a role gets no token', async () => {
    expect(await askAdminToken(await anAdmin({ resources: null }), 'correct horse')).toMatchObject({
      status: 401,
      body: { message: 'More permissions are needed to access this.' },
    });
  });

  test('an empty field is named', async () => {
    const ask = (body: unknown) => api.call('POST', '/V1/integration/admin/token', { body });
    const required = '"%fieldName" is required. Enter and try again.';
    const both = {
      message: 'One or more input exceptions have occurred.',
      errors: [
        { message: required, parameters: { fieldName: 'username' } },
        { message: required, parameters: { fieldName: 'password' } },
      ],
    };
    expect(await ask({})).toMatchObject({ status: 400, body: both });
    expect(await ask({ username: '', password: null })).toMatchObject({ status: 400, body: both });
    expect(await ask({ username: 'boss' })).toMatchObject({
      status: 400,
      body: { message: required, parameters: { fieldName: 'password' } },
    });
  });
});

describe('a customer', () => {
  test('signs in with the e-mail in any case, and the token opens only their own routes', async () => {
    const { email } = await aCustomer();
    const { status, body: token } = await askCustomerToken(email.toLowerCase(), 'correct horse');

    expect(status).toBe(200);
    expect((await api.call('GET', '/V1/me', { token })).body).toEqual({ userType: 'customer', name: 'Ann Lee' });
    expect(await api.call('GET', '/V1/orders', { token })).toMatchObject({
      status: 401,
      body: { parameters: { resources: 'Platform_Sales::actions_view' } },
    });
  });

  test('of another website is unknown here', async () => {
    const em = fork();
    em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
    em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
    await em.flush();
    const { email, id } = await aCustomer(2, 3);

    expect((await askCustomerToken(email, 'correct horse')).status).toBe(401);
    expect((await askCustomerToken(email, 'correct horse', '/rest/trade/V1/integration/customer/token')).status).toBe(
      200,
    );
    const token = await api.customerToken(id ?? 0);
    expect((await api.call('GET', '/rest/trade/V1/me', { token })).status).toBe(200);
    expect((await api.call('GET', '/V1/me', { token })).status).toBe(401);
  });

  test('is signed out after an hour', async () => {
    const { body: token } = await askCustomerToken((await aCustomer()).email, 'correct horse');
    later(3_601);
    expect((await api.call('GET', '/V1/me', { token })).status).toBe(401);
  });

  test('signs out everywhere at once, and again without effect', async () => {
    const { email, id } = await aCustomer();
    const { body: first } = await askCustomerToken(email, 'correct horse');
    const { body: second } = await askCustomerToken(email, 'correct horse');

    const revoked = await api.call('POST', '/V1/integration/customer/revoke-customer-token', { token: first });

    expect(revoked).toMatchObject({ status: 200, body: true });
    for (const token of [first, second]) expect((await api.call('GET', '/V1/me', { token })).status).toBe(401);
    const again = await api.customerToken(id ?? 0);
    expect((await api.call('GET', '/V1/me', { token: again })).status).toBe(200);
  });
});

describe('an integration', () => {
  test('keeps its token for ever, and gets one more when asked again', async () => {
    const register = { name: 'Register 1', resources: ['Magento_Sales::actions_view'] };
    const first = await createIntegrationToken(fork(), register);
    const second = await createIntegrationToken(fork(), register);

    expect(second.integrationId).toBe(first.integrationId);
    later(10 * 365 * 86_400);
    for (const { token } of [first, second])
      expect((await api.call('GET', '/V1/orders', { token })).body).toEqual({
        userType: 'integration',
        name: 'Register 1',
      });
  });

  test('that is disabled loses its rights at once', async () => {
    const { integrationId, token } = await createIntegrationToken(fork(), {
      name: 'Old till',
      resources: ['Platform_Backend::all'],
    });
    expect((await api.call('GET', '/V1/orders', { token })).status).toBe(200);
    await fork().nativeUpdate(Integration, { integrationId }, { isActive: false });
    expect((await api.call('GET', '/V1/orders', { token })).status).toBe(401);
  });

  test('no clear text of a token is stored', async () => {
    const { token } = await createIntegrationToken(fork(), { name: 'Secretive', resources: [] });
    const found = await find('access_token');
    expect(JSON.stringify(found)).not.toContain(token);
  });

  test('either spelling of everything opens everything', async () => {
    for (const resource of ['Platform_Backend::all', 'Magento_Backend::all'])
      expect((await api.call('GET', '/V1/orders', { token: await api.tokenFor(resource) })).status).toBe(200);
  });
});

test.each(['bearer', 'Basic abc', 'Bearer a b', 'Bearer  a', 'Bearer', `Bearer ${'x'.repeat(5_000)}`, 'Bearer \u00e9'])(
  'an Authorization header of %j is no token and no error',
  async (authorization) => {
    const answer = await api.call('GET', '/V1/open', { headers: { authorization } });
    expect(answer).toMatchObject({ status: 200, body: { userType: 'guest' } });
  },
);
