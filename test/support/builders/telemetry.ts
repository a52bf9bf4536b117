import type { EntityManager } from '@mikro-orm/postgresql';
import { TelemetryEvent } from '../../../db/telemetry/telemetry-event.entity.ts';
import { storeEvents } from '../../../db/telemetry/store-events.ts';

/** This number of events of a day, of value 1 each; `receivedAt` when they arrived at another time than now. */
export async function someTelemetry(
  em: EntityManager,
  wanted: { day: string; count: number; locationId?: number; eventName?: string; receivedAt?: string },
): Promise<void> {
  await storeEvents(em, {
    source: { locationId: wanted.locationId ?? 1, terminalId: 1, deviceId: undefined, appVersion: undefined },
    events: Array.from({ length: wanted.count }, () => ({
      eventType: 'counter',
      eventName: wanted.eventName ?? 'checkout_completed',
      eventData: undefined,
      value: '1.000000',
      period: undefined,
      recordedAt: `${wanted.day}T12:00:00.000Z`,
    })),
    isRecognisable: false,
  });
  if (wanted.receivedAt)
    await em.nativeUpdate(TelemetryEvent, { recordedOn: wanted.day }, { receivedAt: new Date(wanted.receivedAt) });
}
