import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { route } from '../../../api/http/route.ts';
import { readRoundedUnits, readUnits } from '../../../api/wire/criteria.ts';
import { growing, integer, payload, storedMoney, text } from '../../../api/wire/schemas.ts';
import { conflict, invalid, noSuchEntity, PosError, unavailable } from '../../../domain/errors.ts';
import { invalidInput } from '../../../domain/refusals/platform.ts';
import { testApi } from '../../support/api.ts';
import { useApi } from '../../support/fixtures.ts';

describe('envelope', () => {
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

  const api = useApi({ routes, expectsFaults: true });
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
    [
      'conflict',
      409,
      { message: 'The return is not ready.', parameters: { outcome: 'return_not_ready', return_id: 7 } },
    ],
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
      {
        message: 'Validation Failed',
        errors: [{ message: '"%field" can not be empty.', parameters: { field: 'sku' } }],
      },
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
});

describe('values of a request', () => {
  const shape = {
    sku: text(5),
    qty: integer.optional(),
    price: storedMoney.nullish(),
    place: z.string().default('floor'),
    tags: z.array(text(3)).optional(),
    given: z.unknown().optional(),
  };
  const mug = { sku: 'MUG', place: 'floor' };
  const read = (schema: z.ZodType, sent: unknown) => {
    const { data, error } = schema.safeParse(sent, { reportInput: true });
    return data ?? error?.issues.map(({ code, path, input }) => [code, path.join('.'), input]);
  };

  test.each([
    [{ sku: 'MUG' }, mug],
    [
      { sku: 'MUG', qty: 2, price: '1.5', place: 'roof', tags: ['a', 'b'], given: null },
      { sku: 'MUG', qty: 2, price: 15_000, place: 'roof', tags: ['a', 'b'], given: null },
    ],
    [{ qty: 2 }, [['custom', 'sku', undefined]]],
    [
      { sku: 'MUG', price: null, qty: 'many', tags: ['far too long'] },
      [
        ['custom', 'qty', 'many'],
        ['custom', 'tags.0', 'far too long'],
      ],
    ],
    [
      { tags: 'none', place: 5, sku: 'a long one' },
      [
        ['custom', 'sku', 'a long one'],
        ['invalid_type', 'place', 5],
        ['invalid_type', 'tags', 'none'],
      ],
    ],
    [{ sku: 'MUG', qty: null, given: undefined }, mug],
    [[], [['custom', 'sku', undefined]]],
    [null, [['invalid_type', '', undefined]]],
    ['MUG', [['invalid_type', '', 'MUG']]],
    [5, [['invalid_type', '', 5]]],
  ])('%j is read, or refused in the order of the shape', (sent, expected) => {
    expect(read(payload(shape), sent)).toEqual(expected);
    expect(read(growing(shape), sent)).toEqual(expected);
  });

  test.each([
    ['{"sku":"MUG","colour":"red","size":"L"}', ['colour', 'size']],
    ['{"sku":"MUG","__proto__":{"qty":5}}', ['__proto__']],
    ['{"sku":"MUG","constructor":1}', ['constructor']],
  ])('the unknown keys of %s are refused, or dropped where a document grows by version', (sent, keys) => {
    const { error } = payload(shape).safeParse(JSON.parse(sent));
    expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys }]);
    expect(read(growing(shape), JSON.parse(sent))).toEqual(mug);
  });

  const line = payload({
    unitPrice: storedMoney.optional(),
    kind_of: text(5).nullish(),
    place: z.string().default('roof'),
  });

  test.each([
    [
      { unit_price: 1, kindOf: 'a' },
      { unitPrice: 10_000, kind_of: 'a', place: 'roof' },
    ],
    [
      { unit_price: 'bad', unitPrice: 2 },
      { unitPrice: 20_000, place: 'roof' },
    ],
    [
      { unitPrice: 2, unit_price: 'bad' },
      { unitPrice: 20_000, place: 'roof' },
    ],
    [
      { unitPrice: null, unit_price: 3 },
      { unitPrice: 30_000, place: 'roof' },
    ],
    [
      { kind_of: null, kindOf: 'b' },
      { kind_of: 'b', place: 'roof' },
    ],
    [{ kind_of: null }, { kind_of: null, place: 'roof' }],
    [[], { place: 'roof' }],
  ])('%j is read by either spelling of its keys, the camelCase one first', (given, read) => {
    expect(line.parse(given)).toEqual(read);
  });

  test('an issue names the key of the shape, and each unknown key as the caller wrote it', () => {
    const { error } = line.safeParse({ other_key: 1, kind_of: 'too long', unit_price: 'bad', moreKeys: 2 });
    expect(error?.issues.map(({ code, path, ...more }) => [code, ...path, Reflect.get(more, 'keys')])).toEqual([
      ['custom', 'unitPrice', undefined],
      ['custom', 'kind_of', undefined],
      ['unrecognized_keys', ['other_key', 'moreKeys']],
    ]);
  });

  test.each([
    [0, 0],
    [-0, 0],
    [10.8, 108_000],
    [0.1 + 0.2, 3_000],
    [-19.99, -199_900],
    [99_999_999_999.9999, 999_999_999_999_999],
  ])('the number %d is the same count as its text', (given, units) => {
    expect(readUnits(given)).toBe(units);
    expect(readRoundedUnits(given)).toBe(units);
    expect(readRoundedUnits(String(given))).toBe(units);
  });

  test.each([[1.00005], [1e15], [Infinity], [NaN], ['1e3'], [true], [null]])('%j is no exact count', (given) => {
    expect(readUnits(given)).toBeUndefined();
  });

  test('further decimals of a figure are rounded, half away from zero', () => {
    expect([1.00005, -1.00005, 2.000049].map(readRoundedUnits)).toEqual([10_001, -10_001, 20_000]);
  });
});
