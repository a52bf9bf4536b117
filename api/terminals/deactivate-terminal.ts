import { z } from 'zod';
import { releaseTerminal } from '../../db/terminals/release-terminal.ts';
import { route } from '../http/route.ts';
import { integer, text } from '../wire/schemas.ts';
import { checkDeviceIdentifier } from './device-identifier.ts';
import { badDeviceIdentifier, otherDevice } from './terminal-outcomes.ts';
import { unknownTerminal } from '../wire/outcomes.ts';

/** Releases a terminal from its device, at the device's request (spec 3.4, 4.2). */
export const deactivateTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals/deactivate',
  acl: 'Vendor_Pos::locations',
  summary: 'Release a device from its terminal',
  name: 'deactivateTerminal',
  description: `Call it when a device is given away or set up again. A repeat by the same device answers true again.
    The device needs a new activation code then.`,
  outcomes: [badDeviceIdentifier, unknownTerminal, otherDevice],
  body: z.object({ terminalId: integer, deviceIdentifier: text(10_000) }),
  response: z.literal(true),

  async handle({ em, body }) {
    checkDeviceIdentifier(body.deviceIdentifier);
    await releaseTerminal(em, body);
    return true as const;
  },
});
