import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAdminToken } from '../../../../api/platform/access/create-admin-token.ts';
import { createCustomerToken } from '../../../../api/platform/access/create-customer-token.ts';
import { revokeCustomerToken } from '../../../../api/platform/access/revoke-customer-token.ts';
import { route } from '../../../../api/http/route.ts';
import { nobodysName } from '../../../../db/platform/access/throttle-token-request.ts';
import { unavailable } from '../../../../domain/errors.ts';
import { createAdminUser } from '../../../../db/platform/access/create-admin-user.ts';
import { createIntegrationToken } from '../../../../db/platform/access/create-integration-token.ts';
import { Integration } from '../../../../db/platform/access/integration.entity.ts';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { Website } from '../../../../db/platform/stores/website.entity.ts';
import { StoreView } from '../../../../db/platform/stores/store-view.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { z } from 'zod';

const whoAmI = (path: `/V1/${string}`, acl: 'self' | 'anonymous' | `${string}::${string}`) =>
  route({
    method: 'GET',
    path,
    acl,
    summary: 'Tells who calls',
    response: z.object({ userType: z.string(), name: z.string() }),
    handle: async ({ caller }) => ({ userType: caller.userType, name: caller.name }),
  });

const routes = [
  createAdminToken,
  createCustomerToken,
  revokeCustomerToken,
  whoAmI('/V1/me', 'self'),
  whoAmI('/V1/open', 'anonymous'),
  whoAmI('/V1/orders', 'Platform_Sales::actions_view'),
];

let now = new Date('2026-11-21T09:00:00Z');
const later = (seconds: number) => (now = new Date(now.getTime() + seconds * 1_000));

let api: TestApi;
let passwordHash: string;
beforeAll(async () => {
  api = await testApi({ routes, clock: () => now });
  await aShop(api.orm.em.fork());
  passwordHash = await api.providers.passwords.hash('correct horse');
});
afterAll(() => api.close());

let people = 0;
async function anAdmin(fields: { resources?: string[] | null; isActive?: boolean } = {}) {
  const username = `boss${++people}`;
  const userId = await createAdminUser(api.orm.em.fork(), {
    username,
    passwordHash,
    firstName: 'Ada',
    lastName: 'Boss',
    email: `${username}@example.com`,
    resources: fields.resources === undefined ? ['Magento_Sales::actions_view'] : fields.resources,
  });
  if (fields.isActive === false)
    await api.orm.em.getConnection().execute('update admin_user set is_active = false where user_id = ?', [userId]);
  return username;
}

async function aCustomer(websiteId = 1, storeId = 1) {
  const em = api.orm.em.fork();
  const customer = em.create(Customer, {
    websiteId,
    storeId,
    groupId: 1,
    email: `Ann${++people}@Example.com`,
    firstname: 'Ann',
    lastname: 'Lee',
    passwordHash,
  });
  await em.flush();
  return customer;
}

const askAdminToken = (username: string, password: string) =>
  api.call('POST', '/V1/integration/admin/token', { body: { username, password } });
const askCustomerToken = (username: string, password: string, path = '/V1/integration/customer/token') =>
  api.call('POST', path, { body: { username, password } });

const incorrect = {
  message:
    'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.',
};

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

describe('guessing', () => {
  test('six failures lock the name for half an hour, even for the right password', async () => {
    const username = await anAdmin();
    for (let guess = 0; guess < 6; guess++) await askAdminToken(username, 'wrong');

    expect(await askAdminToken(username, 'correct horse')).toMatchObject({ status: 401, body: incorrect });
    later(1_799);
    expect((await askAdminToken(username, 'correct horse')).status).toBe(401);
    later(2);
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('the right password ends the count', async () => {
    const username = await anAdmin();
    for (let guess = 0; guess < 5; guess++) await askAdminToken(username, 'wrong');
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
    for (let guess = 0; guess < 5; guess++) await askAdminToken(username, 'wrong');
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('many guesses at once get no more than six tries', async () => {
    const username = await anAdmin();
    const { verify } = api.providers.passwords;
    let tries = 0;
    // From the seventh on the password would be right.
    api.providers.passwords.verify = (_password, hash) => verify(++tries > 6 ? 'correct horse' : 'wrong', hash);
    const answers = await Promise.all(Array.from({ length: 40 }, () => askAdminToken(username, 'wrong')));
    api.providers.passwords.verify = verify;

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    // Whoever is locked waits for a hash as everybody does, so that a lock cannot be told by the time.
    expect(tries).toBe(40);
  });

  test('a person may sign in many times at once', async () => {
    const username = await anAdmin();
    const answers = await Promise.all(Array.from({ length: 8 }, () => askAdminToken(username, 'correct horse')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(8);
  });

  test('unknown names share a few counters, so that random names fill no table', async () => {
    expect(new Set(Array.from({ length: 20_000 }, (_, index) => nobodysName(`who ${index}?`))).size).toBe(1_024);
    expect(nobodysName('WHO?')).toBe(nobodysName('who?'));

    for (let guess = 0; guess < 8; guess++)
      expect(await askAdminToken('who?', 'wrong')).toMatchObject({ status: 401, body: incorrect });

    const rows = await api.orm.em.getConnection().execute(
      `select user_name, failures, locked_until is not null as is_locked from token_throttle
       where user_name in (?, ?)`,
      ['who?', nobodysName('who?')],
    );
    expect(rows).toEqual([{ user_name: nobodysName('who?'), failures: 6, is_locked: true }]);
  });

  test('guesses at an unknown name do not lock a user who gets it later', async () => {
    const username = `boss${people + 1}`;
    for (let guess = 0; guess < 8; guess++) await askAdminToken(username, 'wrong');
    expect(await anAdmin()).toBe(username);
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('too many at once are a 503 that costs no guess', async () => {
    const username = await anAdmin();
    const { verify } = api.providers.passwords;
    api.providers.passwords.verify = () => Promise.reject(unavailable('Too many sign-ins at once.'));
    for (let guess = 0; guess < 8; guess++) expect((await askAdminToken(username, 'correct horse')).status).toBe(503);
    api.providers.passwords.verify = verify;
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('an unknown name takes as long as a known one', async () => {
    const known = await anAdmin();
    const time = async (username: string) => {
      const startedAt = performance.now();
      await askAdminToken(username, 'wrong');
      return performance.now() - startedAt;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    // In turn, and the quickest of each: a machine that stands still for a moment slows one of many.
    for (let guess = 0; guess < 4; guess++) {
      times.known.push(await time(known));
      times.unknown.push(await time('ghost'));
    }
    expect(Math.min(...times.unknown) / Math.min(...times.known)).toBeGreaterThan(0.4);
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
    const em = api.orm.em.fork();
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
    const first = await createIntegrationToken(api.orm.em.fork(), register);
    const second = await createIntegrationToken(api.orm.em.fork(), register);

    expect(second.integrationId).toBe(first.integrationId);
    later(10 * 365 * 86_400);
    for (const { token } of [first, second])
      expect((await api.call('GET', '/V1/orders', { token })).body).toEqual({
        userType: 'integration',
        name: 'Register 1',
      });
  });

  test('that is disabled loses its rights at once', async () => {
    const { integrationId, token } = await createIntegrationToken(api.orm.em.fork(), {
      name: 'Old till',
      resources: ['Platform_Backend::all'],
    });
    expect((await api.call('GET', '/V1/orders', { token })).status).toBe(200);
    await api.orm.em.fork().nativeUpdate(Integration, { integrationId }, { isActive: false });
    expect((await api.call('GET', '/V1/orders', { token })).status).toBe(401);
  });

  test('no clear text of a token is stored', async () => {
    const { token } = await createIntegrationToken(api.orm.em.fork(), { name: 'Secretive', resources: [] });
    const rows = await api.orm.em.getConnection().execute('select * from access_token');
    expect(JSON.stringify(rows)).not.toContain(token);
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
