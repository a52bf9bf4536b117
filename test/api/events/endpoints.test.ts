import { afterEach, describe, expect, test } from '@jest/globals';
import { mostEndpoints } from '../../../domain/events.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { firstId } from '../../support/first-id.ts';

const path = '/V1/pos/events/endpoints';
const url = 'https://erp.example/hooks/pos';

const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
afterEach(() => remove('webhook_endpoint', {}));

const { change, find, howMany, remove } = booksOf(() => api.orm);

const call = (method: string, route: string, body?: unknown, token = api.tokens.admin) =>
  api.call(method, route, { token, ...(body === undefined ? {} : { body }) });
const create = (wish: object = {}) => call('POST', path, { endpoint: { url, ...wish } });

describe('an endpoint', () => {
  test('is added with a secret that is shown once and kept sealed', async () => {
    const { status, body } = await create({ description: 'Bookkeeping', types: ['order.placed'] });

    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret: _shown, ...others } = body;
    expect((await call('GET', `${path}/${body.endpoint_id}`)).body).toEqual(others);
    expect((await call('GET', path)).body).toEqual({ items: [others] });
    const [kept] = await find('webhook_endpoint', {}, 'sealed_secret');
    expect(String(kept?.['sealed_secret'])).not.toContain(body.secret.slice(6));
  });

  test('is changed field by field, and switched off and on', async () => {
    const { body: made } = await create({ description: 'Bookkeeping' });
    const change = (endpoint: object) => call('PUT', `${path}/${made.endpoint_id}`, { endpoint });

    expect((await change({ is_on: false })).body).toMatchObject({ state: 'off', url, description: 'Bookkeeping' });
    expect((await change({ types: ['stock.moved'], format: 'slack' })).body).toMatchObject({
      ...{ state: 'off', types: ['stock.moved'], format: 'slack' },
    });
    expect((await change({ is_on: true })).body).toMatchObject({ state: 'on', types: ['stock.moved'] });
    expect((await change({ types: [] })).body).toMatchObject({ types: [] });
  });

  test('gets a new secret, and the former one has a day', async () => {
    const { body: made } = await create();
    const { body } = await call('POST', `${path}/${made.endpoint_id}/secret`);
    expect(body.secret).not.toBe(made.secret);
    expect(body.former_secret_until).not.toBeNull();
  });

  test('is deleted once', async () => {
    const { body: made } = await create();
    expect((await call('DELETE', `${path}/${made.endpoint_id}`)).body).toBe(true);
    expect((await call('DELETE', `${path}/${made.endpoint_id}`)).status).toBe(404);
  });
});

describe('who and what is refused', () => {
  test.each([
    'http://erp.example/',
    'https://127.0.0.1/',
    'https://10.0.0.8/',
    'https://[fd00::1]/',
    'ftp://erp.example/',
    'nonsense',
  ])('an endpoint at %s', async (bad) => {
    const { body: made } = await create();
    expect((await create({ url: bad })).status).toBe(400);
    const { status, body } = await call('PUT', `${path}/${made.endpoint_id}`, { endpoint: { url: bad } });
    expect({ status, message: body.message }).toEqual({ status: 400, message: 'The endpoint cannot be called: %1.' });
    expect(await find('webhook_endpoint', {}, 'url')).toEqual([{ url }]);
  });

  test('one without an address', async () => {
    const { status, body } = await call('POST', path, { endpoint: { description: 'x' } });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { message: '"%fieldName" is required. Enter and try again.' },
    });
  });

  test('a type that is not there', async () => {
    expect((await create({ types: ['order.sung'] })).status).toBe(400);
  });

  test('a token of an integration, whatever it may do', async () => {
    const token = await api.tokenFor('Platform_Backend::all');
    expect((await call('GET', path, undefined, token)).status).toBe(401);
    expect((await call('POST', path, { endpoint: { url } }, token)).status).toBe(401);
  });

  test('more of them than there may be, also where eight come at once', async () => {
    for (let made = 0; made < mostEndpoints - 4; made++) expect((await create()).status).toBe(200);
    const answers = await eightAtOnce(() => create());
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 400, 400, 400, 400,
    ]);
    expect(answers.find(({ status }) => status === 400)?.body.parameters).toEqual([String(mostEndpoints)]);
    expect(await howMany('webhook_endpoint')).toBe(mostEndpoints);
  });

  test.each([
    ['GET', '', undefined],
    ['PUT', '', { endpoint: { is_on: false } }],
    ['DELETE', '', undefined],
    ['POST', '/secret', {}],
    ['GET', '/attempts', undefined],
    ['POST', '/replay', { from: 1, to: 2 }],
    ['POST', '/ping', {}],
  ] as const)('%s %s of one that is not there', async (method, of, body) => {
    const { status, body: answer } = await call(method, `${path}/99${of}`, body);
    expect({ status, message: answer.message }).toEqual({ status: 404, message: 'Endpoint with id %1 does not exist' });
  });
});

test('before anything was sent there are no tries, and nothing to send again', async () => {
  const { body: made } = await create();
  expect((await call('GET', `${path}/${made.endpoint_id}/attempts?limit=5&before=9`)).body).toEqual({ items: [] });
  expect((await call('POST', `${path}/${made.endpoint_id}/replay`, { from: 1, to: 5 })).body).toEqual({
    replayed: 0,
    last: 0,
  });
});

test('in a shop in which nothing happened yet the feed is empty, and the first event comes to whoever waits', async () => {
  const feed = (query: string) => call('GET', `/V1/pos/events?${query}`);
  expect((await feed('wait=0')).body).toEqual({ events: [], next: 0 });
  expect((await feed('after=0&wait=0')).body).toEqual({ events: [], next: 0 });
  const { body: made } = await create();
  const first = feed('after=0&wait=20');
  await change('webhook_endpoint', { endpoint_id: made.endpoint_id }, { state: 'paused' });
  const { body } = await first;
  expect(body).toMatchObject({ events: [{ sequence: firstId, type: 'endpoint.paused', data: null }], next: firstId });
  expect((await call('POST', `${path}/${made.endpoint_id}/replay`, { from: 0, to: 9 })).status).toBe(400);
});

test('events are sent again since a moment, or by a range, and by nothing else', async () => {
  const { body: made } = await create();
  const replay = (body: object) => call('POST', `${path}/${made.endpoint_id}/replay`, body);
  for (const since of ['2026-11-27', '2026-11-27T09:30:00Z', '2026-11-27 09:30:00', '2026-11-27T09:30:00+02:00'])
    expect((await replay({ since })).body).toEqual({
      replayed: expect.any(Number),
      last: expect.any(Number),
      is_whole: true,
    });
  for (const since of ['yesterday', '2026-13-01', '', '11/27/2026'])
    expect((await replay({ since })).body.message).toBe('Invalid value of "%value" provided for the %fieldName field.');
  expect((await replay({ since: '2026-11-27', from: 1 })).status).toBe(400);
  for (const body of [{}, { from: 1 }, { to: 1 }])
    expect((await replay(body)).body.message).toBe('"%fieldName" is required. Enter and try again.');
});

test('a test message is an event of the feed', async () => {
  const { body: made } = await create({ types: ['order.placed'] });
  const { status, body } = await call('POST', `${path}/${made.endpoint_id}/ping`);
  expect({ status, body }).toEqual({ status: 200, body: { event_id: expect.stringMatching(/^evt_\d+$/) } });
  const { body: feed } = await call('GET', '/V1/pos/events?after=0&types=endpoint.ping');
  expect(feed.events).toMatchObject([
    { id: body.event_id, object: { kind: 'endpoint', id: String(made.endpoint_id) } },
  ]);
  await remove('webhook_delivery', {});
  await remove('pos_event', {});
});

test('a secret is replaced eight times a day at most', async () => {
  const { body: made } = await create();
  const rotate = () => call('POST', `${path}/${made.endpoint_id}/secret`);
  for (let turn = 0; turn < 8; turn++) expect((await rotate()).status).toBe(200);
  const { status, body } = await rotate();
  expect({ status, parameters: body.parameters }).toEqual({ status: 400, parameters: ['8'] });
});
