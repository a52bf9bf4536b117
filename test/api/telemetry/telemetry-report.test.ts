import { beforeEach, describe, expect, test } from 'vitest';
import { summariseDay } from '../../../db/telemetry/summarise-day.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, api, submit, anEvent, aBatch } from './sent-telemetry.ts';

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
