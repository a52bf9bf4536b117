import { beforeEach, describe, expect, test } from '@jest/globals';
import { summariseDay } from '../../../db/telemetry/summarise-day.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce, twiceAtOnce } from '../../support/rivals.ts';
import { aBatch, anEvent, api, clock, opensAShop, submit } from './sent-telemetry.ts';

describe('telemetry report', () => {
  opensAShop();

  const { fork } = booksOf(() => api.orm);
  const report = (query = '') => api.call('GET', `/V1/pos/telemetry/report${query}`, { token: api.tokens.admin });

  describe('the report', () => {
    beforeEach(async () => {
      await submit(
        aBatch([
          anEvent({ value: 1 }),
          anEvent({ value: 2.5 }),
          anEvent({ value: null }),
          anEvent({ event_name: 'opened', value: null }),
          anEvent({ recorded_at: '2026-11-21 08:00:00', value: 4 }),
          anEvent({ recorded_at: '2026-09-01 08:00:00', value: 8 }),
        ]),
      );
      await submit({ events: [anEvent({ value: 16 })] });
    });
    const sum = (day: string, more: Record<string, unknown> = {}) => ({
      day,
      location_id: 3,
      event_type: 'counter',
      event_name: 'checkout_completed',
      event_count: 1,
      value_count: 1,
      is_final: false,
      ...more,
    });

    test('adds up by day, location and name, before the night as after it', async () => {
      const expected = [
        sum('2026-11-21', { value_sum: 4, value_min: 4, value_max: 4 }),
        sum('2026-11-20', { location_id: null, value_sum: 16 }),
        sum('2026-11-20', { event_count: 3, value_count: 2, value_sum: 3.5, value_min: 1, value_max: 2.5 }),
        sum('2026-11-20', { event_name: 'opened', value_count: 0, value_sum: 0, value_min: null, value_max: null }),
      ];
      const { status, body } = await report();
      expect(status).toBe(200);
      expect(body).toMatchObject({ location_id: null, from: '2026-10-22', to: '2026-11-21', is_complete: true });
      expect(body.total_events).toBe(6);
      expect(body.rows).toMatchObject(expected);

      await summariseDay(fork(), '2026-11-20');
      const after = (await report()).body;
      expect(after.rows).toMatchObject(
        expected.map((row) => (row.day === '2026-11-20' ? { ...row, is_final: true } : row)),
      );
    });

    test('is of one location, and of the days asked for', async () => {
      expect((await report('?locationId=3')).body).toMatchObject({ location_id: 3, total_events: 5 });
      expect((await report('?locationId=9')).body).toMatchObject({ total_events: 0, rows: [] });
      expect((await report('?from=2026-09-01&to=2026-09-01')).body).toMatchObject({ total_events: 1 });
      expect((await report('?from=2026-01-01')).body).toMatchObject({ from: '2026-01-01', total_events: 7 });
      expect((await report('?from=2026-11-21&to=2026-11-01')).body).toMatchObject({ rows: [] });
      expect((await report('?to=0001-01-01')).body).toMatchObject({ rows: [] });
      expect((await report('?from=yesterday')).status).toBe(400);
      expect((await report('?locationId=here')).status).toBe(400);
    });

    test('needs a resource that registers lack', async () => {
      expect(await api.call('GET', '/V1/pos/telemetry/report', { token: api.tokens.register })).toMatchObject({
        status: 401,
        body: { parameters: { resources: 'Vendor_Pos::pos' } },
      });
    });
  });
});

describe('telemetry', () => {
  opensAShop();

  const { find, refuseWrites } = booksOf(() => api.orm);
  const submitText = (body: string) => api.call('POST', '/V1/pos/telemetry', { token: api.tokens.register, body });
  const events = ['event_type', 'event_name', 'event_data', 'value', 'period', 'recorded_on', 'recorded_at'] as const;
  const senders = ['location_id', 'terminal_id', 'device_id', 'app_version'] as const;
  const stored = async () =>
    (await find('pos_telemetry_event', {}, 'event_id', ...senders, ...events))
      .toSorted((one, other) => Number(one.event_id) - Number(other.event_id))
      .map(({ event_id: _id, ...event }) => event);
  const count = async () => (await stored()).length;

  describe('a batch', () => {
    test('is stored event by event, with where it comes from', async () => {
      const sent = aBatch([
        anEvent({ event_data: { method: 'cash', n: [1, null] }, value: 12.3456789, period: '2026-11-20T18' }),
        { eventType: 'gauge', eventName: 'queue', value: '7', recordedAt: '2026-11-20T23:30:00-02:00' },
        { event_type: 'mark', event_name: 'opened' },
      ]);
      expect(await submit(sent)).toMatchObject({ status: 200, body: true });

      const source = { location_id: 3, terminal_id: 4, device_id: 'till-4', app_version: '5.1' };
      expect(await stored()).toMatchObject([
        {
          ...source,
          event_type: 'counter',
          event_data: { method: 'cash', n: [1, null] },
          value: '12.345679',
          period: '2026-11-20T18',
          recorded_on: '2026-11-20',
        },
        { ...source, event_type: 'gauge', event_data: null, value: '7.000000', recorded_on: '2026-11-21' },
        { ...source, event_type: 'mark', value: null, recorded_on: '2026-11-21' },
      ]);
    });

    test('keeps every character of a name, whatever it means elsewhere', async () => {
      const names = ['NULL', '{a,b}', 'say "hi"', 'back\\slash\\', 'two\nlines', '€ 🛒', "it's", ', ,'];
      const events = names.map((name) => anEvent({ event_name: name, period: name, event_data: { [name]: name } }));
      expect(await submit(aBatch(events))).toMatchObject({ status: 200, body: true });
      expect(await stored()).toMatchObject(
        names.map((name) => ({ event_name: name, period: name, event_data: { [name]: name } })),
      );
    });

    test.each([
      ['a text', 'events'],
      ['nothing', null],
      ['a list', [anEvent()]],
      ['no events', { location_id: 1 }],
      ['an empty list of events', { events: [] }],
      ['events that are no list', { events: { 0: anEvent() } }],
      ['events all of which are malformed', { events: [1, null, {}, { event_type: 'x' }] }],
    ])('that is %s is answered false', async (_case, payload) => {
      expect(await submit(payload)).toMatchObject({ status: 200, body: false });
      expect(await count()).toBe(0);
    });

    test('without any payload is answered false, without JSON refused', async () => {
      expect(await submitText('{}')).toMatchObject({ status: 200, body: false });
      expect((await submitText('{')).status).toBe(400);
    });

    test('describes itself as far as it can; a wrong value counts as unknown', async () => {
      await submit(aBatch([anEvent()], { location_id: 'here', terminal_id: 1e16, device_id: {}, app_version: 5 }));
      expect(await stored()).toMatchObject([
        { location_id: null, terminal_id: null, device_id: null, app_version: '5' },
      ]);
    });
  });

  describe('one bad event among five hundred loses no other', () => {
    const poison: Record<string, string> = {
      'a zero character': '{"event_type":"x","event_name":"a\\u0000b"}',
      'a zero character deep in its data': '{"event_type":"x","event_name":"y","event_data":{"a":["\\u0000"]}}',
      'a zero character in a key': '{"event_type":"x","event_name":"y","event_data":{"\\u0000":1}}',
      'half of a surrogate pair': '{"event_type":"x","event_name":"y","event_data":"\\ud83d"}',
      'a number beyond all numbers': '{"event_type":"x","event_name":"y","value":1e200000}',
      'such a number in its data': '{"event_type":"x","event_name":"y","event_data":[1e200000]}',
      'a value too large to add up': '{"event_type":"x","event_name":"y","value":1e30}',
      'a value that is no number': '{"event_type":"x","event_name":"y","value":"lots"}',
      'data 20,000 levels deep': `{"event_type":"x","event_name":"y","event_data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'no type': '{"event_name":"y"}',
      'an empty name': '{"event_type":"x","event_name":"  "}',
      'a name that is an object': '{"event_type":"x","event_name":{}}',
      'a name as long as a book': `{"event_type":"x","event_name":"${'y'.repeat(100_000)}"}`,
      'no moment anybody knows': '{"event_type":"x","event_name":"y","recorded_at":"infinity"}',
      'a moment in the year 294277': '{"event_type":"x","event_name":"y","recorded_at":"294277-01-01 00:00:00"}',
      'a day the calendar lacks': '{"event_type":"x","event_name":"y","recorded_at":"2026-02-30 00:00:00"}',
      'nothing but a number': '7',
      'a list': '[]',
      'no prototype': '{"__proto__":{"event_type":"x","event_name":"y"}}',
    };

    test.each(Object.entries(poison))('%s', async (_case, event) => {
      const good = JSON.stringify(aBatch(Array.from({ length: 499 }, (_, n) => anEvent({ value: n }))));
      const withPoison = good.replace('"events":[', `"events":[${event},`);
      expect(await submitText(`{"payload":${withPoison}}`)).toMatchObject({ status: 200, body: true });
      expect(await count()).toBe(499);
    });

    test('not even one that only PostgreSQL dislikes', async () => {
      const poison = { to: 'pos_telemetry_event', when: `new.event_name like 'poison%'`, code: '22023' };
      const mend = await refuseWrites(poison);
      const events = Array.from({ length: 500 }, (_, n) =>
        anEvent(n % 167 === 3 ? { event_name: `poison ${n}` } : { value: n }),
      );

      const answers = await twiceAtOnce(() => submit(aBatch(events)));

      expect(answers.map(({ body }) => body)).toEqual([true, true]);
      expect(await count()).toBe(497);
      await mend();
    });
  });

  describe('a register whose clock is wrong', () => {
    test.each(['2026-11-23T10:00:00Z', '2031-01-01 00:00:00', '1970-01-01 00:00:00', '0001-01-01', '9999-12-31'])(
      'and says %s loses no event: it counts today, and once',
      async (recorded_at) => {
        const batch = aBatch([anEvent({ recorded_at }), anEvent()]);
        const before = clock.now;
        const answers = [await submit(batch)];
        clock.now = new Date(before.getTime() + 60_000);
        answers.push(...(await twiceAtOnce(() => submit(batch))));
        clock.now = before;

        expect(answers.map(({ body }) => body)).toEqual([true, true, true]);
        expect(await stored()).toMatchObject([{ recorded_on: '2026-11-21' }, { recorded_on: '2026-11-20' }]);
      },
    );

    test('by less than a day is believed', async () => {
      await submit(aBatch([anEvent({ recorded_at: '2026-11-22T09:59:00Z' })]));
      expect(await stored()).toMatchObject([{ recorded_on: '2026-11-22' }]);
    });
  });

  describe('a large batch', () => {
    const ofBytes = (bytes: number) => {
      const events = Array.from({ length: Math.ceil(bytes / 10_000) }, (_, n) =>
        anEvent({ value: n, event_data: 'x'.repeat(9_900) }),
      );
      return JSON.stringify({ payload: aBatch(events) });
    };

    test('of 1.1 MB is stored, event by event', async () => {
      expect(await submitText(ofBytes(1_100_000))).toMatchObject({ status: 200, body: true });
      expect(await count()).toBe(110);
    });

    test('beyond 8 MB is answered false, even without a stated length', async () => {
      const text = ofBytes(9_000_000);
      expect(await submitText(text)).toMatchObject({ status: 200, body: false });
      const unsaid = await fetch(`${api.url}/rest/V1/pos/telemetry`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.tokens.register}`, 'content-type': 'application/json' },
        body: new Blob([text]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect([unsaid.status, await unsaid.json()]).toEqual([200, false]);
      expect(await count()).toBe(0);
      expect((await submit(aBatch([anEvent()]))).body).toBe(true);
    });
  });

  describe('a batch sent again', () => {
    test('counts once, however often and however concurrently it comes', async () => {
      const batch = aBatch([anEvent(), anEvent({ value: 2 })]);
      const answers = await eightAtOnce(() => submit(batch));
      expect(new Set(answers.map(({ body }) => body))).toEqual(new Set([true]));
      expect(await count()).toBe(2);
      await submit(aBatch([anEvent(), anEvent({ value: 2 })], { terminal_id: 5 }));
      expect(await count()).toBe(4);
    });

    test('without a register, or without a time, may be a new batch', async () => {
      for (const batch of [{ events: [anEvent()] }, aBatch([{ event_type: 'x', event_name: 'y' }])]) {
        await submit(batch);
        await submit(batch);
      }
      expect(await count()).toBe(4);
    });
  });
});
