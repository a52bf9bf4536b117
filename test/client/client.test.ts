import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../client/conformance/line.ts';
import { criteria } from '../../client/criteria.ts';
import { sentenceFor, valueOf, type AnswerNotKept } from '../../client/results.ts';
import { fromJsonText, jsonText } from '../../client/shapes.ts';
import { aCounter, aLongCart, type Counter } from './a-counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await aCounter();
});
beforeEach(() => counter.line.plan([]));
afterAll(() => counter.close());

const aCart = (cartUuid: string) => ({
  heldCart: {
    ...{ location_id: counter.place.locationId, terminal_id: counter.place.terminalId },
    ...{ staff_id: counter.place.staffId, staff_name: 'Ada', cart_uuid: cartUuid, cart_data: '{}' },
    ...{ customer_name: 'Umbrella', item_count: 1, grand_total: 50, currency_code: 'USD' },
  },
});

const sentTo = (path: string) => counter.line.exchanges.filter((one) => one.path.startsWith(path));
const hold = (more: object = {}) => {
  const cartUuid = crypto.randomUUID();
  return counter.clientFor(more).post('/V1/pos/held-carts', { body: aCart(cartUuid) });
};

describe('no answer is no "no": the same request with the same key is sent again', () => {
  const faults: readonly [string, Fault][] = [
    ['the line is cut before the service', { kind: 'cut' }],
    ['the answer is lost', { kind: 'answer_lost' }],
    ['half an answer arrives', { kind: 'half_an_answer' }],
    ['the service is busy', { kind: 'answered', status: 503, retryAfterSeconds: 1 }],
    ['a proxy gives up, and the service does not', { kind: 'answered_after', status: 504 }],
    ['a page of a hotel’s Wi-Fi comes in its place', { kind: 'answered_after', status: 200 }],
    ['too many came', { kind: 'answered', status: 429, retryAfterSeconds: 1 }],
    [
      'the same request is at work',
      { kind: 'answered', status: 409, body: { message: 'Still.', parameters: { outcome: 'idempotency_key_in_use' } } },
    ],
  ];
  test.each(faults)('where %s', async (_case, fault) => {
    const before = sentTo('/V1/pos/held-carts').length;
    counter.line.plan([{ path: /held-carts/, times: 2, fault }]);
    const cart = valueOf(await hold());
    const tries = sentTo('/V1/pos/held-carts').slice(before);
    expect(tries).toHaveLength(3);
    expect(new Set(tries.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect(await counter.books.howMany('pos_held_cart', { cart_uuid: cart.cart_uuid })).toBe(1);
  });

  test('as long as the service asked for, and else longer each time', async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    counter.line.plan([
      { path: /held-carts/, times: 1, fault: { kind: 'answered', status: 503, retryAfterSeconds: 7 } },
      { path: /held-carts/, times: 4, fault: { kind: 'cut' } },
    ]);
    valueOf(await hold({ wait }));
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThan(7_501);
    // 2, 4, 8, 16 seconds, of which chance takes up to a half.
    [2_000, 4_000, 8_000, 16_000].forEach((most, at) => {
      expect(waits[at + 1]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[at + 1]).toBeLessThanOrEqual(most);
    });
  });
});

describe('what becomes of a request is a value', () => {
  test('a repeat tells that it is one', async () => {
    const key = crypto.randomUUID();
    const body = aCart(crypto.randomUUID());
    const client = counter.clientFor();
    expect(await client.post('/V1/pos/held-carts', { body, key })).toMatchObject({ kind: 'done', isReplay: false });
    expect(await client.post('/V1/pos/held-carts', { body, key })).toMatchObject({ kind: 'done', isReplay: true });
  });

  test('a refusal has its sentence with the values in place, and is not sent again', async () => {
    const before = counter.line.exchanges.length;
    const result = await counter.clientFor().get('/V1/pos/credits/giftcard/{code}', { path: { code: 'NO-SUCH' } });
    expect(result).toMatchObject({ kind: 'refused', status: 404, outcome: null });
    expect(result.kind === 'done' ? '' : sentenceFor(result)).toBe('Gift card with code NO-SUCH not found.');
    expect(counter.line.exchanges).toHaveLength(before + 1);
  });

  test('a key that names another request is a refusal with a code', async () => {
    const key = crypto.randomUUID();
    const client = counter.clientFor();
    valueOf(await client.post('/V1/pos/held-carts', { body: aCart(crypto.randomUUID()), key }));
    const other = await client.post('/V1/pos/held-carts', { body: aCart(crypto.randomUUID()), key });
    expect(other).toMatchObject({ kind: 'refused', status: 422, outcome: 'idempotency_key_reused' });
  });

  test('what was carried out and whose answer was not kept is no refusal: nobody does it anew', async () => {
    counter.line.plan([{ path: /held-carts/, times: 1, fault: { kind: 'answer_lost' } }]);
    const body = aLongCart(aCart(crypto.randomUUID()));
    const result = await counter.clientFor().post('/V1/pos/held-carts', { body });
    expect(result).toEqual({
      ...{ kind: 'answer_not_kept', outcome: 'idempotency_answer_not_kept', requestId: expect.any(String) },
      sentence: 'This request was carried out. Its answer was not kept; read the record. Nothing was done again.',
    });
    expect(sentenceFor(result as AnswerNotKept)).toContain('was carried out');
    expect(() => valueOf(result)).toThrow('There is no answer');
    expect(await counter.books.howMany('pos_held_cart', { cart_uuid: body.heldCart.cart_uuid })).toBe(1);
  });

  test('a token that opens nothing is told apart; a new one is asked for once, and the same request is sent', async () => {
    const token = counter.api.tokens.nothing;
    expect(await hold({ token })).toMatchObject({ kind: 'signed_out' });
    let asked = 0;
    const signIn = async () => {
      asked += 1;
      return counter.api.tokens.register;
    };
    expect(await hold({ token, signIn })).toMatchObject({ kind: 'done' });
    expect(asked).toBe(1);
    expect(await hold({ token, signIn: async () => undefined })).toMatchObject({ kind: 'signed_out' });
  });

  test('a wrong passcode is a refusal, not a lost token', async () => {
    const result = await counter.clientFor().post('/V1/pos/staff/authenticate', {
      body: { email: 'nobody@shop.test', passcode: '000000', terminalId: counter.place.terminalId },
    });
    expect(result).toMatchObject({ kind: 'refused', status: 401, sentence: 'Invalid credentials.' });
  });

  test('no answer until the end of patience is unanswered, with the key by which it is asked later', async () => {
    counter.line.plan([{ path: /held-carts/, times: 1_000, fault: { kind: 'cut' } }]);
    const result = await hold({ giveUpAfterMs: 300 });
    expect(result).toEqual({ kind: 'unanswered', because: 'The connection broke.', key: expect.any(String) });
    expect(sentenceFor({ kind: 'unanswered', because: '', key: null })).toContain('do nothing twice');
  });

  test('a fault of the service is unanswered after three tries: somebody must look', async () => {
    const before = sentTo('/V1/pos/held-carts').length;
    counter.line.plan([{ path: /held-carts/, times: 9, fault: { kind: 'answered', status: 500 } }]);
    expect(await hold()).toMatchObject({ kind: 'unanswered' });
    expect(sentTo('/V1/pos/held-carts').length - before).toBe(3);
  });

  test('what no one gives up for is cancelled by the person who asked', async () => {
    const cancel = new AbortController();
    counter.line.plan([{ path: /config/, times: 1_000, fault: { kind: 'cut' } }]);
    const asked = counter.clientFor().get('/V1/pos/config', { signal: cancel.signal });
    cancel.abort();
    expect(await asked).toMatchObject({ kind: 'unanswered' });
  });

  test('a path without its variable is a mistake of the program', () => {
    const client = counter.clientFor();
    expect(() => client.get('/V1/orders/{id}', { path: {} as { id: number } })).toThrow('needs id');
  });
});

describe('a search', () => {
  test('finds by filters that are joined by AND and by OR, sorted, page by page', async () => {
    const register = counter.registerFor();
    for (const price of [10, 20, 30]) {
      const lines = [{ ...counter.mug, qty: 1, taxPercent: 0, price }];
      const buyer = { email: 'searched@shop.test' };
      valueOf(await register.sell({ lines, buyer, payment: { method: 'cashondelivery' } }));
    }
    const found = criteria()
      .where('customer_email', 'searched@shop.test')
      .whereAny(['grand_total', 10], ['grand_total', 25, 'gteq'])
      .sortedBy('grand_total', 'DESC');
    const client = counter.clientFor();
    const page = (current: number) =>
      client.get('/V1/orders', { query: found.page(1, current).fields('items[grand_total],total_count').query() });
    expect(valueOf(await page(1))).toEqual({ items: [{ grand_total: 30 }], total_count: 2 });
    expect(valueOf(await page(2))).toEqual({ items: [{ grand_total: 10 }], total_count: 2 });
  });

  test('spells moments and lists as the platform does, and refuses to be too long', () => {
    const query = criteria()
      .where('updated_at', new Date('2026-11-21T09:30:00Z'), 'gteq')
      .where('sku', ['A', 'B'], 'in');
    expect(Object.values(query.query())).toEqual(['updated_at', '2026-11-21 09:30:00', 'gteq', 'sku', 'A,B', 'in']);
    let many = criteria();
    for (let at = 0; at < 150; at++) many = many.where('sku', at, 'neq');
    expect(() => many.query()).toThrow('at most 400');
  });

  test('without a word is a list of all', async () => {
    const { items } = valueOf(await counter.clientFor().get('/V1/orders', { query: criteria().page(1).query() }));
    expect(items).toHaveLength(1);
    expect(valueOf(await counter.clientFor().get('/V1/orders', { query: criteria().query() })).total_count).toBe(3);
  });
});

test('a text with JSON inside is written and read by its own words', async () => {
  const rows = [{ order_item_id: 1, qty: 2 }];
  expect(fromJsonText(jsonText(rows))).toEqual(rows);
  const config = valueOf(await counter.clientFor().get('/V1/pos/config', {}));
  expect(fromJsonText(config)).toMatchObject({ module_version: expect.any(String) });
});
