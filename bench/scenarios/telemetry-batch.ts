import type { Scenario } from '../scenario.ts';

const firstBatch = 920_000_001;
const events = 500;
const recordedAt = new Date(Date.now() - 3_600_000).toISOString();

/** A register's telemetry of a busy hour, beside the insert of the same rows. */
export const telemetryBatch: Scenario = {
  name: `telemetry batch of ${events}`,
  loads: [{ connections: 8, atLeast: 0.6 }],
  request: (batch) => ({
    method: 'POST',
    path: '/V1/pos/telemetry',
    body: {
      payload: {
        location_id: 7,
        terminal_id: 7,
        device_id: `till-${batch}`,
        app_version: '5.1.0',
        events: Array.from({ length: events }, (_, n) => ({
          event_type: 'counter',
          event_name: 'checkout_completed',
          event_data: { basket: n, tender: 'cash', lines: n % 9 },
          value: 1 + (n % 90),
          period: '2026-11-21T10',
          recorded_at: recordedAt,
        })),
      },
    },
  }),
  subjectOf: (n) => firstBatch + n,
  // A known batch is not stored again, so each gets a separate digest.
  edit: (recorded, batch) =>
    recorded.map((one) =>
      one.text.includes('pos_telemetry_batch') ? { ...one, values: [`digest-${batch}`, ...one.values.slice(1)] } : one,
    ),
};
