import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addEntry } from '../../db/store-credit/add-entry.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { emptyRecord } from '../../domain/empty-record.ts';
import { fieldRequired, invalid } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { invalidInput } from '../../domain/refusals/platform.ts';
import { booksOf } from '../support/books.ts';
import { anOrder } from '../support/builders/order.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer, anEntry } from '../support/builders/wallet.ts';
import { useApi } from '../support/fixtures.ts';

describe('canonical json', () => {
  /** How the text was made when the first digests were stored. */
  const before = (value: unknown): string =>
    JSON.stringify(value, (_key, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      const inOrder: Record<string, unknown> = Object.create(null);
      for (const key of Object.keys(inner).toSorted()) inOrder[key] = Reflect.get(inner, key);
      return inOrder;
    }) ?? 'null';

  function isAsBefore(value: unknown): void {
    expect(canonicalJson(value)).toBe(before(value));
  }

  test('content gives the text whose digest the shop has stored', () => {
    const anything = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true });
    fc.assert(fc.property(anything, isAsBefore));
    fc.assert(fc.property(fc.array(fc.dictionary(fc.string(), anything)), isAsBefore));
  });

  test.each([
    [undefined],
    [[undefined, () => 1, Number.NaN, -0, -Infinity, 1e21, 1e-7]],
    [{ b: undefined, a: 1, ' ': '\u2028 "\\ \u0001 \uD800', é: 'é' }],
    [{ '10': 'j', '9': 'i', b: 'b', a: 'a', '01': 1, '4294967294': 2, '4294967295': 3, '-1': 4 }],
    [JSON.parse('{"__proto__":{"a":1},"a":[{"b":1,"a":2},{"b":1,"a":2},{"a":2,"b":1},{"toJSON":1}]}')],
    [[new Date(0), { toJSON: (key: string) => ({ z: key, a: 1 }) }, [], {}, [{}], [[]]]],
  ])('the text of %j is as before', (value) => isAsBefore(value));

  test('the order of keys does not count, and that of a list does', () => {
    expect(canonicalJson({ a: 1, b: [{ d: 2, c: 3 }] })).toBe(canonicalJson({ b: [{ c: 3, d: 2 }], a: 1 }));
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });
});

describe('empty record', () => {
  test.each([[0], [16], [17], [80], [500]])(
    'a record for %i keys is a plain object with what is put into it',
    (count) => {
      const record = emptyRecord(count);
      expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
      expect(Object.keys(record)).toEqual([]);

      const keys = Array.from({ length: count }, (_, at) => `column_${count - at}`);
      for (const [at, key] of keys.entries()) record[key] = at;

      expect(record).toStrictEqual(Object.fromEntries(keys.map((key, at) => [key, at])));
      expect(JSON.stringify(record)).toBe(`{${keys.map((key, at) => `"${key}":${at}`).join(',')}}`);
      expect(emptyRecord(count)).toStrictEqual({});
    },
  );
});

describe('in words', () => {
  test('a refusal is read with what it is about in place', () => {
    expect(inWords(invalid('A return in status "%1" cannot be settled.', ['pending']).refusal)).toBe(
      'A return in status "pending" cannot be settled.',
    );
  });

  test('a refusal of several things names each of them', () => {
    const errors = ['orderId', 'amount'].map((name) => {
      const { message, parameters = [] } = fieldRequired(name);
      return { message, parameters };
    });
    expect(inWords(invalidInput(errors).refusal)).toBe(
      'One or more input exceptions have occurred. "orderId" is required. Enter and try again. "amount" is ' +
        'required. Enter and try again.',
    );
  });
});

describe('markdown literal', () => {
  test.each([
    ['Olga Ödegård, at the counter: 12.50 (twice!)', 'Olga Ödegård, at the counter: 12.50 (twice!)'],
    ['vendor_provider_a', 'vendor_provider_a'],
    ['[x](http://evil) **b** <img>', '`[x](http://evil) **b** <img>`'],
    ['_emphasised_', '`_emphasised_`'],
    ['see www.evil.example', '`see www.evil.example`'],
    ['&lt;b&gt;', '`&lt;b&gt;`'],
    ['a `code` b', '``a `code` b``'],
    ['``` ends', '```` ``` ends ````'],
    ['one\n\n# two\r\n- three\u2028\u202Efour', 'one # two - three four'],
    [' \n ', ''],
  ])('%j is shown as it was written', (text, shown) => {
    expect(markdownLiteral(text)).toBe(shown);
  });
});

describe('refuse card data', () => {
  const { fork, howMany } = booksOf(() => api.orm);

  /** A card number in a sentence typed at the counter. */
  const pan = '4539 5787 6362 1486';
  const sentence = `paid with ${pan}`;

  const api = useApi();
  let locationId: number;
  let customerId: number;
  let orderId: number;
  beforeAll(async () => {
    const em = () => fork();
    ({ locationId } = await aShop(em()));
    customerId = await aCustomer(em());
    await addEntry(em(), anEntry(customerId, { amount: '10' }));
    ({ orderId } = await anOrder(em(), { paid: false, shipped: false }));
  });

  const wallet = (more: object) => ({ customerId, websiteId: 1, reason: sentence, ...more });

  test.each<[string, () => string, () => object, status?: number]>([
    ['the reason of a wallet credit', () => '/V1/vendor-store-credit/credit', () => wallet({ amount: 1 })],
    ['the reason of a wallet debit', () => '/V1/vendor-store-credit/debit', () => wallet({ amount: 1 })],
    ['the reason of a wallet adjustment', () => '/V1/vendor-store-credit/adjust', () => wallet({ delta: 1 })],
    [
      'the comment of a held cart',
      () => '/V1/pos/held-carts',
      () => ({
        heldCart: { location_id: locationId, cart_uuid: randomUUID(), cart_data: '{}', hold_comment: sentence },
      }),
    ],
    [
      'a comment on an order',
      () => `/V1/orders/${orderId}/comments`,
      () => ({ statusHistory: { comment: sentence, isVisibleOnFront: 0, isCustomerNotified: 0 } }),
    ],
    ['the comment of an invoice', () => `/V1/order/${orderId}/invoice`, () => ({ comment: { comment: sentence } })],
    ['the comment of a shipment', () => `/V1/order/${orderId}/ship`, () => ({ comment: { comment: sentence } })],
    [
      'the reason of a refund to credit',
      () => '/V1/pos/credits/refund',
      () => ({ orderId, customerId, creditType: 'store_credit', amount: 1, reason: sentence }),
      // Every failure of it is an answer (spec 4.6).
      200,
    ],
  ])(
    'a card number in %s is refused, not repeated, and nothing is written',
    async (_where, path, body, expected = 400) => {
      const before = await written();

      const { status, body: answer } = await api.call('POST', path(), { token: api.tokens.admin, body: body() });

      const said = JSON.stringify(answer);
      expect({ status, said }).toEqual({ status: expected, said: expect.stringContaining('must not be stored') });
      expect(said).not.toContain(pan);
      expect(await written()).toEqual(before);
    },
  );

  /** How much stands where these requests write. */
  const written = () =>
    Promise.all(
      [
        ...['store_credit_entry', 'pos_held_cart', 'sales_order_status_history'],
        ...['sales_invoice', 'sales_shipment', 'credit_refund'],
      ].map((table) => howMany(table)),
    );
});
