import type { Mutant } from './mutant.ts';

const telemetry = 'test/api/telemetry/telemetry.test.ts';
const nightly = 'test/activities/telemetry/telemetry-activities.test.ts';

/** What registers tell of their days. */
export const telemetryMutants: readonly Mutant[] = [
  {
    id: 'R11',
    mistake: 'one event the database dislikes aborts the batch',
    patches: [
      {
        file: 'db/telemetry/store-events.ts',
        find: 'if (!isOfData(error)) throw error;\n    await storeInHalves(em, batch, digest);',
        replace: 'if (isOfData(error) || storeInHalves.length > 0) throw error;\n    void digest;',
      },
    ],
    killedBy: [telemetry],
  },
  {
    id: 'R12',
    mistake: 'a batch sent again is stored again',
    patches: [
      {
        file: 'db/telemetry/store-events.ts',
        find: 'const digest = batch.isRecognisable ? digestOf((await byRegisterClock(batch)) ?? columns) : null;',
        replace: 'const digest = batch.isRecognisable && digestOf(columns) === undefined ? "" : null;',
      },
    ],
    killedBy: [telemetry],
  },
  {
    id: 'R13',
    mistake: 'sums are added to, not made anew',
    patches: [
      {
        file: 'db/telemetry/summarise-day.ts',
        find: 'do update set event_count = excluded.event_count,',
        replace: 'do update set event_count = pos_telemetry_summary.event_count + excluded.event_count,',
      },
    ],
    killedBy: [nightly],
  },
  {
    id: 'R14',
    mistake: 'telemetry of the day it is kept from goes too',
    patches: [
      { file: 'db/telemetry/purge-telemetry.ts', find: `'day < $before::date'`, replace: `'day <= $before::date'` },
    ],
    killedBy: [nightly],
  },
];
