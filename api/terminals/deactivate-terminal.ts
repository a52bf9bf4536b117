import { z } from 'zod';
import { releaseTerminal } from '../../db/terminals/release-terminal.ts';
import { route } from '../http/route.ts';
import { integer, text } from '../wire/schemas.ts';
import { checkDeviceIdentifier } from './device-identifier.ts';

/**
 * Releases a terminal's binding at its device's wish (spec 3.4, 4.2). A repeat by the same device answers true again.
 *
 * Refused with: 400 malformed identifier · 404 unknown terminal · 401 another device.
 */
export const deactivateTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals/deactivate',
  acl: 'Vendor_Pos::locations',
  summary: 'Release a device from its terminal',
  body: z.object({ terminalId: integer, deviceIdentifier: text(10_000) }),
  response: z.literal(true),

  async handle({ em, body }) {
    checkDeviceIdentifier(body.deviceIdentifier);
    await releaseTerminal(em, body);
    return true as const;
  },
});
