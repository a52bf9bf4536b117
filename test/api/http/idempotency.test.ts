import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { invalid, unavailable } from '../../../domain/errors.ts';
import { anOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensTheNotes, api, afterwards, keyed, post, note, notes, memos, isReplay, rowOf } from './a-note-route.ts';

opensTheNotes();

const { fork } = booksOf(() => api.orm);

describe('the same key again', () => {
  test('refunds an order once, and answers the memo again', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const body = { items: [{ order_item_id: itemIds[0], qty: 1 }] };
    const key = randomUUID();
    const first = await post(`/V1/order/${orderId}/refund`, body, key);
    const second = await post(`/V1/order/${orderId}/refund`, body, key);

    expect(first).toMatchObject({ status: 200, body: expect.any(Number) });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(await memos(orderId)).toBe(1);
  });

  test('refunds an invoice once', async () => {
    const { invoiceId, orderId, itemIds } = await anOrder(fork(), { method: 'provider_a' });
    const body = { items: [{ order_item_id: itemIds[0], qty: 1 }] };
    const key = randomUUID();
    const answers = [];
    for (let time = 0; time < 3; time++) answers.push(await post(`/V1/invoice/${invoiceId}/refund`, body, key));

    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(answers.map(isReplay)).toEqual([false, true, true]);
    expect(await memos(orderId)).toBe(1);
  });

  test('eight at once have one effect and one answer; an early repeat is asked to come again', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const body = { items: [{ order_item_id: itemIds[0], qty: 1 }] };
    const key = randomUUID();
    const answers = await eightAtOnce(() => post(`/V1/order/${orderId}/refund`, body, key));

    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map((answer) => answer.body)).size).toBe(1);
    expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1);
    for (const early of answers.filter(({ status }) => status !== 200)) {
      expect(early).toMatchObject({ status: 409, body: { parameters: { outcome: 'idempotency_key_in_use' } } });
      expect(early.headers.get('retry-after')).toBe('1');
    }
    expect(await memos(orderId)).toBe(1);
    expect(await post(`/V1/order/${orderId}/refund`, body, key)).toMatchObject({ status: 200, body: done[0]!.body });
  });

  test('is refused with another body, path or query, and nothing is done', async () => {
    const key = randomUUID();
    await note('first words', key);
    const others = [
      await note('other words', key),
      await post('/V1/notes?fields=text', { text: 'first words' }, key),
      await post('/rest/all/V1/notes', { text: 'first words' }, key),
      await post('/V1/secret-notes', { text: 'first words' }, key),
    ];
    for (const { status, body } of others)
      expect([status, body.parameters]).toEqual([422, { outcome: 'idempotency_key_reused' }]);
    expect([await notes('first words'), await notes('other words')]).toEqual([1, 0]);
  });

  test('with its body in another order is the same request', async () => {
    const { orderId } = await anOrder(fork());
    const key = randomUUID();
    const adjusted = [
      { arguments: { shipping_amount: 0, adjustment_positive: 1 }, notify: false },
      { notify: false, arguments: { adjustment_positive: 1, shipping_amount: 0 } },
    ];
    const answers = [];
    for (const body of adjusted) answers.push(await post(`/V1/order/${orderId}/refund`, body, key));
    expect(answers.map(isReplay)).toEqual([false, true]);
  });

  test('of another caller is another request', async () => {
    const key = randomUUID();
    await note('mine', key);
    const theirs = await note('mine', key, await api.tokenFor('Vendor_Pos::locations'));
    expect([theirs.status, isReplay(theirs)]).toEqual([200, false]);
    expect(await notes('mine')).toBe(2);
  });

  test('gets the same refusal again, even if it would be permitted now', async () => {
    const key = randomUUID();
    afterwards.happens = () => Promise.reject(invalid('No %1 today.', ['notes']));
    const first = await note('refused', key);
    afterwards.happens = async () => undefined;
    const second = await note('refused', key);
    expect(first).toMatchObject({ status: 400, body: { message: 'No %1 today.', parameters: ['notes'] } });
    expect([second.status, second.body]).toEqual([400, first.body]);
    expect(isReplay(second)).toBe(true);
    expect(await notes('refused')).toBe(0);
  });

  test('gets a 404 of the handler again', async () => {
    const key = randomUUID();
    const refund = () => post('/V1/order/999999/refund', {}, key);
    const [first, second] = [await refund(), await refund()];
    expect([first.status, second.status, isReplay(second)]).toEqual([404, 404, true]);
    expect(second.body).toEqual(first.body);
  });
});

describe('a temporary answer is not kept', () => {
  test('a service that is away, and a fault, are tried again; nothing was written', async () => {
    const key = randomUUID();
    afterwards.happens = () => Promise.reject(unavailable('Away.'));
    expect((await note('later', key)).status).toBe(503);
    afterwards.happens = () => Promise.reject(new Error('the process fell over between the writes and the answer'));
    expect((await note('later', key)).status).toBe(500);
    expect(await notes('later')).toBe(0);
    afterwards.happens = async () => undefined;
    const done = await note('later', key);
    expect([done.status, isReplay(done), await notes('later')]).toEqual([200, false, 1]);
  });

  test('arguments that cannot be read leave the key free', async () => {
    const key = randomUUID();
    expect((await post('/V1/notes', { text: 5, other: [] }, key)).status).toBe(400);
    expect((await note('now well', key)).status).toBe(200);
  });
});

test('a handler that writes in two transactions writes both or none with a key', async () => {
  const key = randomUUID();
  afterwards.happens = () => Promise.reject(new Error('cut off'));
  await note('whole', key);
  afterwards.happens = async () => undefined;
  await note('whole', key);
  await note('whole', key);
  expect([await notes('whole'), await notes('whole, second')]).toEqual([1, 1]);
});

test('while a request is carried out its repeat gets 409, and other keys continue', async () => {
  const key = randomUUID();
  let release: (value: unknown) => void = () => undefined;
  const isThere = new Promise((resolve) => {
    afterwards.happens = () => {
      resolve(undefined);
      return new Promise((go) => (release = go));
    };
  });
  const slow = note('slow', key);
  await isThere;
  afterwards.happens = async () => undefined;
  expect(await note('slow', key)).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'idempotency_key_in_use' } },
  });
  expect((await note('quick', randomUUID())).status).toBe(200);
  release(undefined);
  expect((await slow).status).toBe(200);
  expect(await notes('slow')).toBe(1);
});

describe('a key', () => {
  test.each([
    ['', 400],
    ['x'.repeat(255), 200],
    ['x'.repeat(256), 400],
    ['tab\tin it', 400],
    ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', 200],
    ['with blanks ~', 200],
  ])('%j is answered %i', async (key, status) => {
    const answer = await note('of any form', key);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.parameters).toEqual({ outcome: 'idempotency_key_invalid' });
  });

  test('means nothing to a read, nor to a caller without a token', async () => {
    const { orderId } = await anOrder(fork());
    const key = randomUUID();
    const read = (path: string) => api.call('GET', path, { token: api.tokens.register, headers: keyed(key) });
    expect((await read(`/V1/orders/${orderId}`)).status).toBe(200);
    expect(isReplay(await read('/V1/orders/999999'))).toBe(false);
    const body = { username: 'test-admin', password: 'wrong' };
    for (let time = 0; time < 2; time++) {
      const answer = await api.call('POST', '/V1/integration/admin/token', { body, headers: keyed(key) });
      expect([answer.status, isReplay(answer)]).toEqual([401, false]);
    }
    expect((await note('the key is free', key)).status).toBe(200);
  });

  test('is not kept itself, and an answer with secrets is kept sealed', async () => {
    const key = `key-${randomUUID()}`;
    await note('kept in clear', key);
    const row = await rowOf('kept in clear');
    expect(row).toMatchObject({ state: 'done', status: 200, route: 'POST /V1/notes', caller_type: 'integration' });
    expect(JSON.stringify(row)).not.toContain(key);

    const sealed = randomUUID();
    const first = await post('/V1/secret-notes', { text: 'a secret' }, sealed);
    const second = await post('/V1/secret-notes', { text: 'a secret' }, sealed);
    expect([second.body, isReplay(second)]).toEqual([first.body, true]);
    expect(await rowOf('a secret')).toBeUndefined();
  });

  test('of an answer that is too long to be kept says that it was carried out', async () => {
    const key = randomUUID();
    afterwards.happens = async () => 'x'.repeat(1_048_577);
    expect((await note('long', key)).status).toBe(200);
    expect(await note('long', key)).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'idempotency_answer_not_kept' } },
    });
    expect(await notes('long')).toBe(1);
  });
});
