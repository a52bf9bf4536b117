import { z } from 'zod';
import { storeEvents } from '../../db/telemetry/store-events.ts';
import { route } from '../http/route.ts';
import { readBatch } from './read-batch.ts';

/** What a register gathers in weeks without a line; a larger batch is answered false. */
const largestBatchBytes = 8_388_608;

/**
 * Takes a batch of telemetry (spec 4.10): malformed events are left out, all others are stored. Refuses nothing: true
 * says that something was stored, false that nothing was, for there was no event to store or the batch was above 8 MB.
 *
 * An event whose moment cannot be, before 2000 or more than a day ahead, counts at the moment it came (our choice).
 *
 * A register that lost our answer sends its batch again: it counts once, as long as the batch says which register it
 * is from and when each event was (our choice).
 *
 * @example { payload: { terminal_id: 7, events: [{ event_type: 'counter', event_name: 'checkout_completed', value: 1
 * }] } }
 */
export const submitTelemetry = route({
  method: 'POST',
  path: '/V1/pos/telemetry',
  acl: 'Vendor_Pos::locations',
  summary: 'Submit a batch of telemetry',
  name: 'submitTelemetry',
  description: `Refuses nothing: true means that something was stored, false that nothing was. Malformed events are
    left out. A batch may have 8 MB. A repeat counts once, as long as the batch names its register and each event its
    moment. An event from before 2000, or more than a day ahead, counts at the moment it came.`,
  outcomes: [],
  commits: 'several',
  body: z.object({ payload: z.unknown().optional() }),
  response: z.boolean(),
  takesAnyJson: true,
  mostBytes: largestBatchBytes,

  async handle({ em, body, now }) {
    const batch = readBatch(body.payload, now);
    if (!batch || batch.events.length === 0) return false;
    await storeEvents(em, batch);
    return true;
  },
});
