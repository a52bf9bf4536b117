import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createGiftCard } from '../../../cli/create-gift-card.ts';
import { createTelemetryActivities } from '../../../activities/nights.ts';
import { explainOrder } from '../../../books/explain/explain-order.ts';
import { dateLayaway } from '../../../db/layaways/read-layaway.ts';
import { timeZoneOfLocation, timeZonesInUse } from '../../../db/platform/stores/time-zone.ts';
import { storeEvents } from '../../../db/telemetry/store-events.ts';
import { dateAfter, endOfDate, localDateOf } from '../../../domain/local-day.ts';
import { telemetryPlan } from '../../../domain/telemetry.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { commandContextOf } from '../../cli/support.ts';
import { useDatabase } from '../../support/fixtures.ts';

/** Zones on both sides of UTC, and two whose clocks change at midnight. */
describe.each(['America/New_York', 'Pacific/Kiritimati', 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Niue'])(
  'a business in %s',
  (zone) => {
    const orm = useDatabase();
    let locationId: number;
    beforeAll(async () => {
      ({ locationId } = await aShop(fork()));
      await write('update website set time_zone = ? where website_id = 1', zone);
    });
    const { findOne, find, fork, write, change } = booksOf(() => orm);

    test('a gift card of the tool is valid until its last day ends there', async () => {
      const context = { ...commandContextOf(orm), now: () => new Date() };
      await createGiftCard(context, { amount: '50', code: 'LAST-DAY', expires: '2030-12-31' });
      const { expires_at: expiresAt } = await findOne('gift_card', { code: 'LAST-DAY' }, 'expires_at');
      expect(new Date(expiresAt as string)).toEqual(endOfDate('2030-12-31', zone));
      const today = localDateOf(new Date(), zone);
      await createGiftCard(context, { amount: '50', code: 'TODAY', expires: today });
      const yesterday = createGiftCard(context, { amount: '50', expires: dateAfter(today, -1) });
      await expect(yesterday).rejects.toMatchObject({ status: 400 });
    });

    test('a layaway that gets its date from the setting expires as that day ends there, and explain shows the day', async () => {
      const { orderId } = await anOrder(fork(), { layaway: true });
      await write('update sales_order set pos_layaway_expires_at = null, pos_layaway_followed_at = null');
      await dateLayaway(fork(), { orderId, storeId: 1, posLayawayStatus: 'open' });
      const lastDay = dateAfter(localDateOf(new Date(), zone), 30);
      const { pos_layaway_expires_at: expiresAt } = await findOne('sales_order', { entity_id: orderId });
      expect(new Date(expiresAt as string)).toEqual(endOfDate(lastDay, zone));
      expect((await explainOrder(fork(), String(orderId))).facts.join()).toContain(`until ${lastDay}`);
    });

    test('telemetry counts on the day of its store, and a day is summed up when it is over there', async () => {
      const zones = await timeZonesInUse(fork());
      expect(zones).toEqual([zone]);
      expect(await timeZoneOfLocation(fork(), locationId)).toBe(zone);
      const at = new Date('2026-11-03T04:30:00.000Z');
      await storeEvents(fork(), {
        source: { locationId, terminalId: 1, deviceId: undefined, appVersion: undefined },
        events: ['2026-11-03T04:30:00.000Z', '2026-11-03T20:30:00.000Z'].map((recordedAt) => ({
          ...{ eventType: 'counter', eventName: 'sold', eventData: undefined, value: '1', period: undefined },
          recordedAt,
        })),
        isRecognisable: false,
      });
      const days = (await find('pos_telemetry_event', { event_name: 'sold' }, 'recorded_on')).map((row) =>
        String(row.recorded_on).slice(0, 10),
      );
      const expected = [at, new Date('2026-11-03T20:30:00.000Z')].map((moment) => localDateOf(moment, zone));
      expect(days.toSorted()).toEqual(expected.toSorted());
      const start = new Date(endOfDate('2026-11-03', zone).getTime());
      expect(telemetryPlan(start, 90, zones).lastClosedDay).toBe('2026-11-02');
      expect(telemetryPlan(new Date(start.getTime() + 1_000), 90, zones).lastClosedDay).toBe('2026-11-03');
      const { dueDays } = await createTelemetryActivities({ orm }).planTelemetry();
      expect(dueDays.every((day) => day < localDateOf(new Date(), zone))).toBe(true);
    });

    afterEach(() => change('website', { website_id: 1 }, { time_zone: zone }));
  },
);
