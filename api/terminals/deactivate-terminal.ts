import { z } from 'zod';
import { releaseTerminal } from '../../db/terminals/release-terminal.ts';
import { route } from '../http/route.ts';
import { integer, text } from '../wire/schemas.ts';
import { checkDeviceIdentifier } from './device-identifier.ts';

/** Releases a terminal from its device, at the device's request (spec 3.4, 4.2). */
export const deactivateTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals/deactivate',
  acl: 'Vendor_Pos::locations',
  summary: 'Release a device from its terminal',
  name: 'deactivateTerminal',
  description: `Call it when a device is given away or set up again. A repeat by the same device answers true again.
    The device needs a new activation code then.`,
  outcomes: [
    {
      status: 400,
      message: 'Invalid device identifier format.',
      when: 'The identifier is not 1 to 100 letters, digits and hyphens.',
    },
    {
      status: 404,
      message: 'Terminal with id %1 does not exist',
      when: 'No terminal has this id.',
      then: 'Pull the terminals again.',
    },
    {
      status: 401,
      message: 'Device identifier mismatch.',
      when: 'The terminal is bound to another device, or to none.',
      then: 'Activate this device again.',
    },
  ],
  body: z.object({ terminalId: integer, deviceIdentifier: text(10_000) }),
  response: z.literal(true),

  async handle({ em, body }) {
    checkDeviceIdentifier(body.deviceIdentifier);
    await releaseTerminal(em, body);
    return true as const;
  },
});
