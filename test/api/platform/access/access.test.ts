import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OAuth from 'oauth-1.0a';
import { z } from 'zod';
import { route } from '../../../../api/http/route.ts';
import {
  createIntegrationToken,
  createSignedIntegration,
  type SigningValues,
} from '../../../../db/platform/access/create-signed-integration.ts';
import { Integration } from '../../../../db/platform/access/access.entity.ts';
import { revokeTokens } from '../../../../db/platform/access/revoke-tokens.ts';
import { nobodysName } from '../../../../db/platform/access/throttle-token-request.ts';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { StoreView, Website } from '../../../../db/platform/stores/store.entity.ts';
import { createSecretBox } from '../../../../db/support/secret-box.ts';
import { unavailable } from '../../../../domain/errors.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { atOnce, eightAtOnce } from '../../../support/rivals.ts';
import {
  anAdmin,
  aName,
  api,
  askAdminToken,
  incorrect,
  later,
  nextAdmin,
  opensTheDoor,
  passwordHash,
} from './people-with-passwords.ts';

describe('guess password', () => {
  opensTheDoor();

  const { find, findOne } = booksOf(() => api.orm);

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
      const answers = await atOnce(40, () => askAdminToken(username, 'wrong'));
      api.providers.passwords.verify = verify;

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      // A locked user waits for a hash as every other does, so that the time does not tell of the lock.
      expect(tries).toBe(40);
    });

    test('a person may sign in many times at once', async () => {
      const username = await anAdmin();
      const answers = await eightAtOnce(() => askAdminToken(username, 'correct horse'));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ body }) => body)).size).toBe(8);
    });

    test('unknown names share a few counters, so that random names fill no table', async () => {
      expect(new Set(Array.from({ length: 20_000 }, (_, index) => nobodysName(`who ${index}?`))).size).toBe(1_024);
      expect(nobodysName('WHO?')).toBe(nobodysName('who?'));

      for (let guess = 0; guess < 8; guess++)
        expect(await askAdminToken('who?', 'wrong')).toMatchObject({ status: 401, body: incorrect });

      expect(await find('token_throttle', { user_name: 'who?' })).toEqual([]);
      expect(await findOne('token_throttle', { user_name: nobodysName('who?') })).toMatchObject({
        failures: 6,
        locked_until: expect.any(String),
      });
    });

    test('guesses at an unknown name do not lock a user who gets it later', async () => {
      const username = nextAdmin();
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
});

describe('signed requests', () => {
  const { fork, change, find, howMany } = booksOf(() => api.orm);

  const whoAmI = (method: 'GET' | 'POST') =>
    route({
      method,
      path: '/V1/orders',
      acl: 'Platform_Sales::actions_view',
      summary: 'Tells who calls',
      response: z.object({ userType: z.string(), name: z.string() }),
      handle: async ({ caller }) => ({ userType: caller.userType, name: caller.name }),
    });
  const open = route({
    method: 'GET',
    path: '/V1/open',
    acl: 'anonymous',
    summary: 'Is for everybody',
    response: z.string(),
    handle: async ({ caller }) => caller.userType,
  });

  const secretKey = randomBytes(32).toString('base64');
  const box = createSecretBox(secretKey);
  let now = new Date('2026-11-21T09:00:00Z');
  let api: TestApi;
  let till: SigningValues & { integrationId: number };
  beforeAll(async () => {
    api = await testApi({
      routes: [whoAmI('GET'), whoAmI('POST'), open],
      clock: () => now,
      settings: { POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: 'https://shop.example/pos' },
    });
    await aShop(fork());
    till = await anIntegration('Accounting');
  });
  afterAll(() => api.close());

  const anIntegration = (name: string, resources = ['Magento_Sales::actions_view']) =>
    createSignedIntegration(fork(), { name, resources, box });

  interface Signing {
    values?: SigningValues;
    method?: 'HMAC-SHA256' | 'HMAC-SHA1';
    /** As the caller sees the shop. */
    seenAs?: string;
    verb?: string;
  }

  /** Signed by a client's own code, as on the platform. */
  function signed(
    path: string,
    { values = till, method = 'HMAC-SHA256', seenAs = api.url, verb = 'GET' }: Signing = {},
  ) {
    const client = new OAuth({
      consumer: { key: values.consumerKey, secret: values.consumerSecret },
      signature_method: method,
      hash_function: (base, key) =>
        createHmac(method === 'HMAC-SHA1' ? 'sha1' : 'sha256', key)
          .update(base)
          .digest('base64'),
    });
    client.getTimeStamp = () => Math.floor(now.getTime() / 1_000);
    const token = { key: values.accessToken, secret: values.accessTokenSecret };
    const { Authorization: authorization } = client.toHeader(
      client.authorize({ url: seenAs + path, method: verb }, token),
    );
    return { authorization };
  }

  const ask = (path: string, signing: Signing = {}, headers: Record<string, string> = {}) =>
    api.call('GET', path, { headers: { ...signed(path, signing), ...headers } });
  const orders = '/rest/V1/orders';
  const wrong = { status: 401, body: { message: 'The signature is invalid. Verify and try again.' } };

  describe('an integration that signs', () => {
    test.each(['HMAC-SHA256', 'HMAC-SHA1'] as const)('with %s may do what it was granted', async (method) => {
      expect(await ask(orders, { method })).toMatchObject({
        status: 200,
        body: { userType: 'integration', name: 'Accounting' },
      });
      expect((await ask('/rest/V1/open', { method })).body).toBe('integration');
    });

    test.each([
      '/rest/V1/orders?searchCriteria[page_size]=20&searchCriteria%5Bcurrent_page%5D=1',
      '/rest/V1/orders?b=2&a=%C3%A4%20%26&a=1&empty=&none',
      '/index.php/rest/default/V1/orders/?a=b*c',
    ])('signs the query and the path as they are sent: %s', async (path) => {
      // The library signs keys as they are written, so it is given them decoded.
      const keysDecoded = path.replaceAll('%5B', '[').replaceAll('%5D', ']');
      const headers = signed(keysDecoded);
      expect((await api.call('GET', path, { headers })).status).toBe(200);
    });

    test('signs the verb, and its body is read', async () => {
      const headers = signed(orders, { verb: 'POST' });
      expect((await api.call('POST', orders, { headers, body: { entity: {} } })).status).toBe(200);
    });

    test('may sign the address that people reach the shop by', async () => {
      expect((await ask(orders, { seenAs: 'https://shop.example/pos' })).status).toBe(200);
      expect(await ask(orders, { seenAs: 'https://shop.example' })).toMatchObject(wrong);
    });

    test('gets nothing that it was not granted, in the platform’s one 401', async () => {
      const values = await anIntegration('Nobody', []);
      expect(await ask(orders, { values })).toMatchObject({
        status: 401,
        body: {
          message: "The consumer isn't authorized to access %resources.",
          parameters: { resources: 'Platform_Sales::actions_view' },
        },
      });
    });

    test('may not use its access token by itself, which travels in the open', async () => {
      expect((await api.call('GET', orders, { token: till.accessToken })).status).toBe(401);
      expect((await api.call('GET', orders, { token: till.consumerSecret })).status).toBe(401);
    });
  });

  describe('a signature that is not the one', () => {
    test('of another secret, verb, path, query or host is refused', async () => {
      const answers = [
        await ask(orders, { values: { ...till, consumerSecret: 'x'.repeat(32) } }),
        await ask(orders, { values: { ...till, accessTokenSecret: 'x'.repeat(32) } }),
        await ask(orders, { verb: 'POST' }),
        await ask(orders, { seenAs: 'http://other.example' }),
        await ask(orders, { seenAs: api.url.replace('http:', 'https:') }),
        await api.call('GET', `${orders}?page=2`, { headers: signed(`${orders}?page=1`) }),
        await api.call('GET', `${orders}?page=1`, { headers: signed(orders) }),
        await api.call('GET', '/rest/V1/open', { headers: signed(orders) }),
        // What a stranger says of the address before a proxy counts for nothing.
        await ask(
          orders,
          { seenAs: 'https://evil.example' },
          { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
        ),
      ];
      expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(answers.map(() => wrong));
    });

    test('of an unknown key, a foreign token or a revoked one says so', async () => {
      const other = await anIntegration('Other');
      expect(await ask(orders, { values: { ...till, consumerKey: 'k'.repeat(32) } })).toMatchObject({
        status: 401,
        body: { message: 'A consumer having the specified key does not exist' },
      });
      expect(await ask(orders, { values: { ...till, accessToken: other.accessToken } })).toMatchObject({
        status: 401,
        body: { message: 'Specified token does not exist' },
      });
      await revokeTokens(fork(), { userType: 'integration', userId: other.integrationId, now });
      expect(await ask(orders, { values: other })).toMatchObject({
        status: 401,
        body: { message: 'Access token has been revoked' },
      });
    });

    test('is refused where everybody else may come in, too', async () => {
      expect(await ask('/rest/V1/open', { verb: 'PUT' })).toMatchObject(wrong);
    });

    test('of an integration that is switched off opens nothing', async () => {
      const values = await anIntegration('Off');
      await change('integration', { name: 'Off' }, { is_active: false });
      expect((await ask(orders, { values })).status).toBe(401);
      expect((await ask('/rest/V1/open', { values })).body).toBe('guest');
    });

    test('beside a form is not even looked at', async () => {
      const headers = { ...signed(orders, { verb: 'POST' }), 'content-type': 'application/x-www-form-urlencoded' };
      expect(await api.call('POST', orders, { headers, body: 'a=b' })).toMatchObject({
        status: 400,
        body: {
          message: 'Server cannot understand Content-Type HTTP header media type application/x-www-form-urlencoded',
        },
      });
    });
  });

  describe('a request that is sent again', () => {
    const used = () => ({
      message: 'The nonce is already being used by the consumer with ID %1',
      parameters: [till.integrationId],
    });

    test('word for word is carried out once', async () => {
      const headers = signed(orders);
      expect((await api.call('GET', orders, { headers })).status).toBe(200);
      expect(await api.call('GET', orders, { headers })).toMatchObject({ status: 401, body: used() });
    });

    test('eight times at once is carried out once', async () => {
      const headers = signed(orders);
      const answers = await eightAtOnce(() => api.call('GET', orders, { headers }));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    });

    test('later than its moment is believed is refused, whether its nonce is known or not', async () => {
      const headers = signed(orders);
      now = new Date(now.getTime() + 601_000);
      expect(await api.call('GET', orders, { headers })).toMatchObject({
        status: 401,
        body: { message: 'Incorrect timestamp value in the oauth_timestamp parameter' },
      });
    });

    test('with a wrong signature uses no nonce up', async () => {
      const headers = signed(orders);
      const forged = {
        authorization: headers.authorization.replace(/oauth_signature="[^"]+/, 'oauth_signature="AAAA'),
      };
      expect(await api.call('GET', orders, { headers: forged })).toMatchObject(wrong);
      expect((await api.call('GET', orders, { headers })).status).toBe(200);
    });

    test('does not make the list of nonces longer for ever', async () => {
      const count = () => howMany('oauth_nonce');
      for (let time = 0; time < 5; time++) await ask(orders);
      const before = await count();
      await change('oauth_nonce', {}, { expires_at: 'yesterday' });
      for (let time = 0; time < 5; time++) await ask(orders);
      expect(await count()).toBeLessThan(before);
    });
  });

  test('no secret of a signature is stored in the clear', async () => {
    const values = await anIntegration(randomUUID());
    const stored = JSON.stringify(await find('access_token'));
    expect(stored).toContain(values.consumerKey);
    for (const secret of [values.consumerSecret, values.accessToken, values.accessTokenSecret])
      expect(stored).not.toContain(secret);
  });
});

describe('tokens', () => {
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

  test.each([
    'bearer',
    'Basic abc',
    'Bearer a b',
    'Bearer  a',
    'Bearer',
    `Bearer ${'x'.repeat(5_000)}`,
    'Bearer \u00e9',
  ])('an Authorization header of %j is no token and no error', async (authorization) => {
    const answer = await api.call('GET', '/V1/open', { headers: { authorization } });
    expect(answer).toMatchObject({ status: 200, body: { userType: 'guest' } });
  });
});
