import { z } from 'zod';
import { storeEvents } from '../../db/telemetry/store-events.ts';
import { noteSoftware } from '../../db/terminals/note-software.ts';
import type { TelemetrySource } from '../../domain/telemetry/telemetry-event.ts';
import { route, type RouteContext } from '../http/route.ts';
import { readBatch } from './read-batch.ts';

/** More than a register collects in weeks without a connection; a larger batch is answered false. */
const largestBatchBytes = 8_388_608;

/**
 * Stores a batch of telemetry (spec 4.10). Malformed events are left out, all others are stored. It refuses nothing.
 * False means that nothing was stored: no event was valid, or the batch was above 8 MB.
 *
 * An event with an impossible time, before 2000 or more than a day ahead, gets the time of its arrival (our choice).
 *
 * A register that lost our answer sends its batch again. The batch counts once, if it names its register and the time
 * of each event (our choice).
 *
 * @example { payload: { terminal_id: 7, events: [{ event_type: 'counter', event_name: 'checkout_completed', value: 1 }]
 * } }
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

  async handle(request) {
    const { em, body, now } = request;
    const batch = readBatch(body.payload, now);
    if (!batch || batch.events.length === 0) return false;
    await storeEvents(em, batch);
    await noteVersion(request, batch.source);
    return true;
  },
});

/** For the operator's page Tills. Telemetry refuses nothing, so a fault here is a line of the log alone. */
async function noteVersion({ em, log }: RouteContext, { terminalId, appVersion }: TelemetrySource): Promise<void> {
  if (terminalId === undefined || appVersion === undefined) return;
  try {
    await noteSoftware(em, { terminalId, appVersion });
  } catch (error) {
    log.warn({ terminalId, error }, 'the version of a register could not be noted; its next batch tries again');
  }
}
