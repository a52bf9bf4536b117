import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';

/** The shop's clock stands still unless a test moves it: what is today is known. */
export const clock = { now: new Date('2026-11-21T10:00:00Z') };

export let api: TestApi;

/** A shop without any telemetry before each test. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi({ clock: () => clock.now });
  });
  beforeEach(async () => {
    for (const kept of ['event', 'batch', 'summary']) await remove(`pos_telemetry_${kept}`);
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });
}

const { remove } = booksOf(() => api.orm);
export const submit = (payload: unknown) =>
  api.call('POST', '/V1/pos/telemetry', { token: api.tokens.register, body: { payload } });
export const anEvent = (more: Record<string, unknown> = {}) => ({
  event_type: 'counter',
  event_name: 'checkout_completed',
  value: 1,
  recorded_at: '2026-11-20 18:30:00',
  ...more,
});
export const aBatch = (events: unknown, more: Record<string, unknown> = {}) => ({
  location_id: 3,
  terminal_id: 4,
  device_id: 'till-4',
  app_version: '5.1',
  events,
  ...more,
});
