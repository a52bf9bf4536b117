import type { EntityManager } from '@mikro-orm/postgresql';
import { storeEvents } from '../../../db/telemetry/store-events.ts';

/** This number of events of a day, of value 1 each; `receivedAt` when they arrived at another time than now. */
export async function someTelemetry(
  em: EntityManager,
  told: { day: string; count: number; locationId?: number; eventName?: string; receivedAt?: string },
): Promise<void> {
  await storeEvents(em, {
    source: { locationId: told.locationId ?? 1, terminalId: 1, deviceId: undefined, appVersion: undefined },
    events: Array.from({ length: told.count }, () => ({
      eventType: 'counter',
      eventName: told.eventName ?? 'checkout_completed',
      eventData: undefined,
      value: '1.000000',
      period: undefined,
      recordedAt: `${told.day}T12:00:00.000Z`,
    })),
    isRecognisable: false,
  });
  if (told.receivedAt)
    await em.execute('update pos_telemetry_event set received_at = ? where recorded_on = ?', [
      told.receivedAt,
      told.day,
    ]);
}
