import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { centsTable, outcomeOf, outcomes } from '../../local/gateway-simulator/cents.ts';
import { money } from '../../domain/money/amount.ts';
import { eightAtOnce } from '../support/rivals.ts';
import {
  startsTheSimulator,
  start,
  dataDir,
  simulator,
  ask,
  post,
  processors,
  truth,
  refunded,
  lost,
} from './simulated-processors.ts';

startsTheSimulator();

test('the table has every outcome once, each by its own cents', async () => {
  expect(centsTable.map(({ outcome }) => outcome).toSorted()).toEqual([...outcomes].toSorted());
  expect(new Set(centsTable.map(({ cents }) => cents)).size).toBe(outcomes.length);
  expect((await ask('/cents')).body).toEqual(centsTable);
});

test.each([
  ['12.61', 'USD', 'refunded_answer_lost'],
  ['0.51', 'USD', 'declined'],
  ['12.34', 'USD', 'approved'],
  ['1261', 'JPY', 'refunded_answer_lost'],
  ['12.61', 'JPY', 'approved'],
  ['1.615', 'KWD', 'refunded_answer_lost'],
])('a refund of %s %s goes as its cents say', (value, currency, outcome) => {
  expect(outcomeOf({ amount: money(value), currency })).toBe(outcome);
});

describe.each(Object.entries(processors))('%s', (provider, { refund, lookUp, says, words }) => {
  test('an approved refund is made, answered and found', async () => {
    expect(says((await refund('12.00')).body)).toBe(words.refunded);

    expect(says((await lookUp('r')).body)).toBe(words.refunded);
    expect(await truth()).toMatchObject([
      { provider, idempotency_key: 'k', order_reference: 'o', amount: '12.00', currency: 'USD', state: 'refunded' },
    ]);
  });

  test('a declined refund is answered and found as such', async () => {
    expect(says((await refund('12.51')).body)).toBe(words.declined);

    expect(says((await lookUp('r')).body)).toBe(words.lookedUpDeclined);
    expect(await refunded()).toEqual([]);
  });

  test('a refusal whose answer is lost is found', async () => {
    await lost(refund('12.52'));

    expect(says((await lookUp('r')).body)).toBe(words.lookedUpDeclined);
    expect(await refunded()).toEqual([]);
  });

  test.each(['12.61', '12.62'])('a refund of %s is made although its answer is lost', async (value) => {
    await lost(refund(value));

    expect(says((await lookUp('r')).body)).toBe(words.refunded);
    expect(await refunded()).toHaveLength(1);
  });

  test('a call that never arrived is unknown to the processor', async () => {
    await lost(refund('12.63'));

    expect(says((await lookUp('r')).body)).toBe(words.notFound);
    expect(await truth()).toEqual([]);
    expect((await ask('/calls')).body).toMatchObject([{ outcome: 'timeout_without_acting', answered: 'silent' }]);
  });

  test.each([
    ['12.64', 500],
    ['12.65', 200],
  ])('a refund of %s is made although its answer cannot be read', async (value, status) => {
    const answer = await refund(value);

    expect(answer).toMatchObject({ status, body: undefined });
    expect(says((await lookUp('r')).body)).toBe(words.refunded);
    expect(await refunded()).toHaveLength(1);
  });

  test('a look-up may say in progress twice, then yes', async () => {
    await lost(refund('12.71'));

    const said = [await lookUp('r'), await lookUp('r'), await lookUp('r')].map(({ body }) => says(body));
    expect(said).toEqual([words.pending, words.pending, words.refunded]);
  });

  test('a look-up may say no, then yes', async () => {
    await lost(refund('12.72'));

    const said = [await lookUp('r'), await lookUp('r'), await lookUp('r')].map(({ body }) => says(body));
    expect(said).toEqual([words.notFound, words.refunded, words.refunded]);
  });

  test('a look-up may never be answered', async () => {
    await lost(refund('12.73'));

    expect((await lookUp('r')).status).toBe(503);
    expect((await lookUp('r')).status).toBe(503);
    expect(await refunded()).toHaveLength(1);
  });

  test('a slow refund is answered in the end', async () => {
    expect(says((await refund('12.81')).body)).toBe(words.refunded);
  });

  test('the same key is the same refund, and its every reference finds it', async () => {
    await lost(refund('12.61', { reference: 'first' }));

    const again = await refund('12.61', { reference: 'second' });

    expect(says(again.body)).toBe(words.refunded);
    expect(JSON.stringify(again.body)).toMatch(/"(idempotent_replay|repeated)":true/);
    expect(says((await lookUp('second')).body)).toBe(words.refunded);
    expect(await refunded()).toHaveLength(1);
  });

  test('one key does not serve two refunds', async () => {
    await refund('12.00');

    expect(says((await refund('13.00')).body)).toBe(words.keyReused);
    expect(await refunded()).toHaveLength(1);
  });

  test('keys can be ignored, and then the same key refunds twice', async () => {
    await post('/control/mode', { keys: 'ignored' });
    await refund('12.00');
    await refund('12.00');

    expect(await refunded()).toHaveLength(2);
  });

  test('no more goes back than was captured, which the request names', async () => {
    await refund('60.00', { key: '1' });

    expect(says((await refund('40.01', { key: '2' })).body)).toBe(words.capped);
    expect(says((await refund('40.00', { key: '3' })).body)).toBe(words.refunded);
  });

  test('without a payment the order is what the cap counts by', async () => {
    await refund('60.00', { key: '1', payment: null });

    expect(says((await refund('60.00', { key: '2', payment: null })).body)).toBe(words.capped);
    expect(says((await refund('60.00', { key: '3', payment: null, order: 'another' })).body)).toBe(words.refunded);
  });

  test('the cap can be lifted', async () => {
    await post('/control/mode', { cap: false });

    expect(says((await refund('999.00')).body)).toBe(words.refunded);
  });

  test('a payment taken at its terminal caps by what was taken', async () => {
    const { body } = await post('/payments', { provider, amount: '20.00', currency: 'USD', reference: 'till 1' });

    expect(says((await refund('20.10', { key: '1', payment: body.payment_id })).body)).toBe(words.capped);
    expect(says((await refund('20.00', { key: '2', payment: body.payment_id })).body)).toBe(words.refunded);
    expect(await refunded()).toMatchObject([{ known_payment: true }]);
  });

  test('a payment it never saw is accepted until it is told to be strict', async () => {
    await refund('1.00', { key: '1' });
    await post('/control/strict', {});

    expect(says((await refund('1.00', { key: '2' })).body)).toBe(words.unknown);
    expect(await refunded()).toMatchObject([{ known_payment: false }]);
  });

  test('the next calls go as planned, whatever their cents', async () => {
    await post('/control/next', { outcome: 'declined', times: 2 });

    const said = [];
    for (const key of ['1', '2', '3']) said.push(says((await refund('1.00', { key })).body));
    expect(said).toEqual([words.declined, words.declined, words.refunded]);
  });

  test('eight calls with one key at once are one refund', async () => {
    await eightAtOnce(() => refund('12.00'));

    expect(await refunded()).toHaveLength(1);
  });

  test('an unreadable request does nothing', async () => {
    const answer = await refund('-1.00');

    expect(answer.body).toBeDefined();
    expect(await truth()).toEqual([]);
  });
});

test('neither processor serves a wrong key', async () => {
  const headers = { authorization: 'Bearer wrong-key', 'idempotency-key': 'k' };
  expect((await post('/provider_a/v1/refunds', {}, headers)).status).toBe(401);
  expect((await post('/provider_b/refund', {}, { authorization: `Basic ${btoa('AT-1:wrong')}` })).status).toBe(401);
  expect((await post('/provider_b/refund', {})).status).toBe(401);
});

test('a wrong address is not an answer about a refund', async () => {
  expect(await ask('/provider_a/v2/refunds?reference=r', { headers: { authorization: 'Bearer k' } })).toMatchObject({
    status: 404,
    body: { error: { code: 'no_such_route' } },
  });
});

test('a request to control it that it does not understand changes nothing', async () => {
  expect((await post('/control/next', { outcome: 'miracle' })).status).toBe(400);
  expect((await post('/control/mode', { keys: 'lost' })).status).toBe(400);
  expect((await ask('/control')).body).toMatchObject({ next: [], keys: 'honoured', cap: true, strict: false });
});

test('what it did outlives the process, and half a line written by a crash does not count', async () => {
  await processors.provider_a.refund('12.00', { key: 'kept', reference: 'kept' });
  await post('/control/next', { outcome: 'declined' });
  const before = await truth();
  await simulator.stop();
  appendFileSync(join(dataDir, 'gateway-simulator.jsonl'), '{"fact":"refund","refund":{"id":"half');

  await start();

  expect(await truth()).toEqual(before);
  expect((await ask('/control')).body).toMatchObject({ next: ['declined'] });
  const again = await processors.provider_a.refund('12.00', { key: 'kept' });
  expect(again.body).toMatchObject({ status: 'succeeded', idempotent_replay: true });
});

test('the page shows the table to people', async () => {
  const page = await ask('/');
  for (const { cents, outcome } of centsTable) {
    expect(page.text).toContain(`.${cents}`);
    expect(page.text).toContain(outcome);
  }
});
