import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { findStaffOfLocation } from '../../db/staff/staff.repository.ts';
import { countAttempt, forgetAttempt, type Bucket } from '../../db/support/rate-limit.ts';
import {
  activateTerminal as bindDevice,
  claimCode,
  giveCodeBack,
  type Activation,
} from '../../db/terminals/activate-terminal.ts';
import { findTerminalSetup } from '../../db/terminals/terminal.repository.ts';
import { invalid } from '../../domain/errors.ts';
import { isActivationCode } from '../../domain/terminals/formats.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { renderRole, renderStaff, roleAnswer, staffAnswer } from '../wire/register/render-staff.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route, type Caller } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { askLicenseService, type Asking } from './ask-license-service.ts';
import { checkDeviceIdentifier } from './device-identifier.ts';
import { fiscalCredentialsAnswer, renderFiscalCredentials } from './render-fiscal-credentials.ts';
import { badDeviceIdentifier } from './terminal-outcomes.ts';

/** Longer than any code or identifier, shorter than a burden: what does not fit is refused in the spec's words. */
const anyText = text(10_000);

/**
 * Binds a device to a terminal by its one-time code (spec 3.4, 4.2). One device wins a code, and all others find it
 * used. That device may send it again, as long as it is bound by it: it is answered the same, and nothing is asked or
 * written. Wrong codes are limited per device, token and address, so that a device cannot dodge the limit under other
 * names.
 *
 * A license that the license service knows is bound to the device first, outside any transaction. When the service
 * says no, nothing is written: the code stays usable, and the device stays where it was. A service that is away stops
 * nobody. While it is asked for one device, the code is used for all others; the same device may press again at any
 * time.
 */
export const activateTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals/activate',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Activate a terminal with its one-time code',
  name: 'activateTerminal',
  description: `Call it once, with the code that an administrator reads out. One device wins a code; for all others
    it is used then. The same device may send the same code again as long as it is bound by it, and gets the same
    answer. A license that the license service knows is bound to the device first. When the service refuses, nothing
    is written and the code stays valid. When it cannot be reached, the activation goes on. Wrong codes are counted per device, token
    and address, for ten minutes. The answer holds secrets: keep it off disks that others read.`,
  outcomes: [
    {
      status: 400,
      message: 'Invalid activation code format.',
      when: 'The code is not 4 to 12 letters and digits.',
      then: 'Let the person type it again.',
    },
    badDeviceIdentifier,
    {
      status: 404,
      message: 'Activation code not valid.',
      when: 'No terminal has this code, or another device has used it.',
      then: 'Ask the administrator for a new code.',
    },
    {
      status: 400,
      message: 'Too many activation attempts. Please try again later.',
      when: 'Ten wrong codes of this device, or sixty of this token or address, within ten minutes.',
      then: 'Wait ten minutes.',
    },
    {
      status: 400,
      message: 'The terminal is disabled.',
      when: 'An administrator switched the terminal off.',
      then: 'Ask the administrator.',
    },
    {
      status: 400,
      message: 'License validation failed: %1',
      when: 'The license service refused this device; the parameter has its words.',
      then: 'Show the words. The code stays good.',
    },
  ],
  commits: 'several',
  body: z.object({ activationCode: anyText, deviceIdentifier: anyText }),
  response: z.object({
    terminal: terminalAnswer,
    location: locationAnswer.nullable(),
    staff_list: z.array(staffAnswer),
    role_list: z.array(roleAnswer),
    fiscal_credentials: fiscalCredentialsAnswer,
  }),
  isPrivate: true,

  async handle({ em, body, caller, clientAddress, settings, providers, now, setHeader }) {
    if (!isActivationCode(body.activationCode)) throw invalid('Invalid activation code format.');
    checkDeviceIdentifier(body.deviceIdentifier);

    const buckets = bucketsOf(body.deviceIdentifier, caller, clientAddress);
    if (!(await countAttempt(em, buckets))) throw invalid('Too many activation attempts. Please try again later.');
    const { terminalId, isBound } = await claimCode(em, body);
    await forgetAttempt(em, buckets);
    if (isBound) markReplayed({ setHeader });
    else await bind({ em, providers, box: secretBoxOf(settings), now }, terminalId, body);
    const setup = await findTerminalSetup(em, terminalId);
    const location = setup.location_id === null ? null : await findLocation(em, setup.location_id);
    const { staff, roles } = await findStaffOfLocation(em, setup.location_id);
    return {
      terminal: renderTerminal(setup),
      location: location && renderLocation(location),
      staff_list: staff.map(renderStaff),
      role_list: roles.map(renderRole),
      fiscal_credentials: renderFiscalCredentials(setup, secretBoxOf(settings)),
    };
  },
});

/** Wrong codes in ten minutes (our choice): a person mistypes a few; a roll-out of a shop mistypes some more. */
const windowSeconds = 600;
const bucketsOf = (deviceIdentifier: string, caller: Caller, clientAddress: string): Bucket[] => [
  { name: `activate device ${deviceIdentifier}`, limit: 10, windowSeconds },
  { name: `activate token ${caller.userType} ${caller.userId}`, limit: 60, windowSeconds },
  { name: `activate address ${clientAddress}`, limit: 60, windowSeconds },
];

/** A code that could not be used is there for others. */
async function bind(asking: Asking, terminalId: number, activation: Activation): Promise<void> {
  try {
    await bindLicense(asking, terminalId, activation.deviceIdentifier);
    await bindDevice(asking.em, activation);
  } catch (error) {
    await giveCodeBack(asking.em, terminalId, activation.deviceIdentifier);
    throw error;
  }
}

async function bindLicense(asking: Asking, terminalId: number, deviceIdentifier: string): Promise<void> {
  const setup = await findTerminalSetup(asking.em, terminalId);
  const finding = await askLicenseService(asking, setup, { verb: 'activate', deviceIdentifier });
  if (finding.outcome === 'rejected') throw invalid('License validation failed: %1', [finding.message]);
}
