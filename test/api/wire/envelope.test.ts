import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { route } from '../../../api/http/route.ts';
import { conflict, invalid, invalidInput, noSuchEntity, PosError, unavailable } from '../../../domain/errors.ts';
import { testApi, type TestApi } from '../../support/api.ts';

const throwing = (path: `/V1/${string}`, thrown: () => unknown) =>
  route({
    method: 'GET',
    path,
    acl: 'anonymous',
    summary: 'Refuses',
    response: z.unknown(),
    handle: () => Promise.reject(thrown()),
  });

const routes = [
  throwing('/V1/refused/plain', () => invalid('Invalid activation code format.')),
  throwing(
    '/V1/refused/positional',
    () => new PosError({ status: 404, message: 'Terminal with id %1 does not exist', parameters: ['X'] }),
  ),
  throwing('/V1/refused/named', () => noSuchEntity('customerId', 9999)),
  throwing('/V1/refused/conflict', () => conflict('return_not_ready', 'The return is not ready.', { return_id: 7 })),
  throwing('/V1/refused/many', () =>
    invalidInput([
      { message: 'One', parameters: [] },
      { message: 'Two %1', parameters: [2] },
    ]),
  ),
  throwing(
    '/V1/refused/validation',
    () =>
      new PosError({
        status: 400,
        message: 'Validation Failed',
        errors: [{ message: '"%field" can not be empty.', parameters: { field: 'sku' } }],
      }),
  ),
  throwing('/V1/refused/away', () => unavailable('The gateway is away.')),
  throwing('/V1/refused/fault', () => new Error('password=hunter2 at db.internal')),
  throwing('/V1/refused/nothing', () => undefined),
  route({
    method: 'GET',
    path: '/V1/guarded',
    acl: ['Platform_Sales::create', 'Platform_Sales::ship'],
    summary: 'Guarded',
    response: z.unknown(),
    handle: async () => true,
  }),
];

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes, expectsFaults: true });
});
afterAll(() => api.close());
const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

test.each([
  ['plain', 400, { message: 'Invalid activation code format.' }],
  ['positional', 404, { message: 'Terminal with id %1 does not exist', parameters: ['X'] }],
  [
    'named',
    404,
    {
      message: 'No such entity with %fieldName = %fieldValue',
      parameters: { fieldName: 'customerId', fieldValue: 9999 },
    },
  ],
  ['conflict', 409, { message: 'The return is not ready.', parameters: { outcome: 'return_not_ready', return_id: 7 } }],
  [
    'many',
    400,
    {
      message: 'One or more input exceptions have occurred.',
      errors: [
        { message: 'One', parameters: [] },
        { message: 'Two %1', parameters: [2] },
      ],
    },
  ],
  [
    'validation',
    400,
    { message: 'Validation Failed', errors: [{ message: '"%field" can not be empty.', parameters: { field: 'sku' } }] },
  ],
  ['away', 503, { message: 'The gateway is away.' }],
])('a %s refusal is status %i and the platform’s body', async (kind, status, body) => {
  const answer = await get(`/V1/refused/${kind}`);
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

describe('a fault', () => {
  test('is masked, named by a report id, and logged once', async () => {
    const before = api.faults.length;
    const { status, body } = await get('/V1/refused/fault');

    expect(status).toBe(500);
    expect(body).toEqual({
      message: expect.stringMatching(
        /^Internal Error\. Details are available in Magento log file\. Report ID: webapi-[0-9a-f]{13}$/,
      ),
    });
    expect(api.faults.slice(before)).toEqual([new Error('password=hunter2 at db.internal')]);
  });

  test('is one also when nothing was thrown', async () => {
    expect((await get('/V1/refused/nothing')).status).toBe(500);
  });

  test('of the database before anything was done asks to come again', async () => {
    const other = await testApi({ routes, expectsFaults: true });
    other.orm.em.getConnection = () => {
      throw new Error('connect ECONNREFUSED');
    };
    const answer = await other.call('GET', '/V1/guarded', { token: 'x' });
    expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '5',
    });
    await other.close();
  });
});
