import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { follow, isFromShop, type News } from '../../client/events.ts';
import { valueOf } from '../../client/results.ts';
import { cash } from '../../client/sale.ts';
import { aCounter, type Counter } from './a-counter.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const sentAt = new Date('2026-11-21T09:30:00Z');
const body = '{"type":"return.closed"}';
const headersBy = (...secrets: readonly string[]) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(sentAt.getTime() / 1_000),
  'webhook-signature': secrets.map((one) => new Webhook(one).sign('evt_1', sentAt, body)).join(' '),
});

test('an event of the shop is known by its signature, also while the shop changes its secret', async () => {
  expect(await isFromShop({ headers: headersBy(secret), body, secret }, sentAt)).toBe(true);
  expect(await isFromShop({ headers: headersBy(other, secret), body, secret }, sentAt)).toBe(true);
});

test('somebody else’s event, a changed one and an old copy are not', async () => {
  const headers = headersBy(secret);
  const later = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000);
  expect(await isFromShop({ headers: headersBy(other), body, secret }, sentAt)).toBe(false);
  expect(await isFromShop({ headers, body: `${body} `, secret }, sentAt)).toBe(false);
  expect(await isFromShop({ headers: { ...headers, 'webhook-id': 'evt_2' }, body, secret }, sentAt)).toBe(false);
  expect(await isFromShop({ headers, body, secret }, later(300))).toBe(true);
  expect(await isFromShop({ headers, body, secret }, later(301))).toBe(false);
  expect(await isFromShop({ headers, body, secret }, later(-301))).toBe(false);
  for (const signature of ['', 'v1,', 'v1,????', 'v2,AAAA', 'v1,AAAA'])
    expect(await isFromShop({ headers: { ...headers, 'webhook-signature': signature }, body, secret }, sentAt)).toBe(
      false,
    );
  expect(await isFromShop({ headers, body, secret: 'whsec_no' }, sentAt)).toBe(false);
  expect(await isFromShop({ headers: { ...headers, 'webhook-timestamp': 'now' }, body, secret }, sentAt)).toBe(false);
});

describe('the feed', () => {
  let counter: Counter;
  beforeAll(async () => {
    counter = await aCounter();
  });
  afterAll(() => counter.close());

  /** The next thing that is told, and the end of listening. */
  async function heard(following: Omit<Parameters<typeof follow>[1], 'signal'>, more: object = {}): Promise<News> {
    const end = new AbortController();
    for await (const news of follow(counter.clientFor(more), { ...following, signal: end.signal })) {
      end.abort();
      return news;
    }
    throw new Error('nothing was told');
  }

  test('tells what happened from a kept place on, once, also over a line that breaks', async () => {
    const { orderId } = valueOf(await counter.registerFor().sell({ lines: [counter.mug], payment: cash }));
    counter.line.plan([{ path: /pos\/events/, times: 2, fault: { kind: 'answer_lost' } }]);
    const first = await heard({ after: 0, types: ['order.placed'] });
    expect(first).toMatchObject({
      kind: 'events',
      events: [{ type: 'order.placed', object: { kind: 'order', id: String(orderId) } }],
    });
    const kept = first.kind === 'events' ? first.next : 0;
    const other = valueOf(await counter.registerFor().sell({ lines: [counter.mug], payment: cash }));
    expect(await heard({ after: kept, types: ['order.placed'] })).toMatchObject({
      events: [{ object: { id: String(other.orderId) } }],
    });
  });

  test('says where it goes on for a register that was away too long, and ends where the token may not listen', async () => {
    const body = { message: 'The events up to %1 are not kept any more.', parameters: ['7'] };
    counter.line.plan([{ path: /pos\/events/, times: 1, fault: { kind: 'answered', status: 410, body } }]);
    expect(await heard({ after: 1 })).toEqual({
      ...{ kind: 'gone', next: 7, sentence: 'The events up to 7 are not kept any more.' },
    });
    expect(await heard({ after: 0 }, { token: 'nobody' })).toMatchObject({ kind: 'signed_out' });
  });
});
