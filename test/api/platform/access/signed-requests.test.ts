import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import OAuth from 'oauth-1.0a';
import { z } from 'zod';
import { route } from '../../../../api/http/route.ts';
import {
  createSignedIntegration,
  type SigningValues,
} from '../../../../db/platform/access/create-signed-integration.ts';
import { revokeTokens } from '../../../../db/platform/access/revoke-tokens.ts';
import { createSecretBox } from '../../../../db/support/secret-box.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

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
function signed(path: string, { values = till, method = 'HMAC-SHA256', seenAs = api.url, verb = 'GET' }: Signing = {}) {
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
    const forged = { authorization: headers.authorization.replace(/oauth_signature="[^"]+/, 'oauth_signature="AAAA') };
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
