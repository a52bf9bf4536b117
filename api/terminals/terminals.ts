import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { findStaffOfLocation } from '../../db/staff/staff.repository.ts';
import { countAttempt, forgetAttempt, type Bucket } from '../../db/support/rate-limit.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import {
  activateTerminal as bindDevice,
  claimCode,
  giveCodeBack,
  type Activation,
} from '../../db/terminals/activate-terminal.ts';
import { fiscalApiKeyPurpose } from '../../db/terminals/licenses.ts';
import { releaseTerminal, requiresCode, terminals } from '../../db/terminals/terminals.ts';
import { findTerminalSetup, type TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import {
  activationCodeFormat,
  activationCodeUnknown,
  deviceFormatNotValid,
  deviceMismatch,
  licenseNotValid,
  terminalIsDisabled,
  terminalNotSaved,
  tooManyActivations,
} from '../../domain/refusals/register.ts';
import { isActivationCode, isDeviceIdentifier } from '../../domain/terminals.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { authorOf } from '../http/route-context.ts';
import { resource } from '../http/resource.ts';
import { route, type AnyRoute, type Caller, type Outcome } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { everything, renderList, searchCriteria } from '../wire/criteria.ts';
import { unknownTerminal } from '../wire/outcomes.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { renderRole, renderStaff, roleAnswer, staffAnswer } from '../wire/register/render-staff.ts';
import { renderTerminal, terminalAnswer, terminalFields } from '../wire/register/render-terminal.ts';
import { listAnswer, recordId, text } from '../wire/schemas.ts';
import { askLicenseService, type Asking } from './ask-license-service.ts';

/** Refusals that several routes of this folder share. */

export const badDeviceIdentifier: Outcome = deviceFormatNotValid.because(
  'The identifier is not 1 to 100 letters, digits and hyphens.',
);

const terminal = resource({
  records: terminals,
  acl: 'Vendor_Pos::locations',
  changesNeed: 'Vendor_Pos::locations_manage',
  unknown: unknownTerminal,
  body: 'terminal',
  ...terminalFields,
  /** Only callers who manage terminals see activation codes (our choice). */
  render: (row, caller) => renderTerminal(row, { showsCode: caller?.can('Vendor_Pos::locations_manage') === true }),
});

/** The shop's terminals (spec 4.2). */
const listTerminals = route({
  method: 'GET',
  path: '/V1/pos/terminals',
  acl: 'Vendor_Pos::locations',
  summary: 'List terminals',
  name: 'listTerminals',
  description: `Without criteria every terminal of the shop. The activation code is null for callers that may not
    manage terminals, and cannot be searched.`,
  outcomes: [attributeNameNotValid],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(terminalAnswer),
  isPrivate: true,

  async handle({ reader, query, caller }) {
    const { rows, totalCount } = await terminals.search(reader, query.searchCriteria);
    return renderList(
      query.searchCriteria,
      rows.map((row) => terminal.render(row, caller)),
      totalCount,
    );
  },
});

/** Adds a terminal (spec 4.2). */
const createTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Add a terminal',
  name: 'createTerminal',
  description: `Without \`device_identifier\` the terminal gets an activation code for \`terminals/activate\`. With
    one it is bound at once; only a website that requires no registration allows that. Each call adds one more
    terminal. A device that is named again moves to the new one.`,
  outcomes: [
    terminalNotSaved,
    deviceFormatNotValid.because(
      'The identifier is not 1 to 100 letters, digits and hyphens.',
      'Make another identifier.',
    ),
  ],
  body: z.object({ terminal: terminalFields.sent }),
  response: terminalAnswer,
  isPrivate: true,

  async handle({ em, body, caller }) {
    const input = terminalFields.draft(body.terminal);
    if (input.deviceIdentifier && (await requiresCode(em, input.locationId ?? null))) throw codeRequired();
    return terminal.render(await terminals.save(em, { draft: input, by: authorOf(caller) }), caller);
  },
});

const codeRequired = () =>
  terminalNotSaved([
    'a device is bound by an activation code here; leave out device_identifier, and activate the device with the code',
  ]);

/** The shop's terminals (spec 4.2). */
export const terminalRoutes: readonly AnyRoute[] = [
  listTerminals,

  terminal.get({
    path: '/V1/pos/terminals/:terminalId',
    name: 'getTerminal',
    summary: 'One terminal',
    description: 'The activation code is null for callers that may not manage terminals.',
    isPrivate: true,
  }),

  createTerminal,

  terminal.update({
    path: '/V1/pos/terminals/:terminalId',
    name: 'updateTerminal',
    summary: 'Change a terminal',
    description: `What you leave out stays. \`regenerate_activation_code\` makes a new code and releases the device. A
      repeat changes nothing more, but asks for one more code where it says so.`,
    outcomes: [terminalNotSaved, badDeviceIdentifier],
    isPrivate: true,
  }),

  terminal.remove({
    path: '/V1/pos/terminals/:terminalId',
    name: 'deleteTerminal',
    summary: 'Delete a terminal',
    description: 'Removes the terminal and its binding. A repeat is a 404.',
  }),
];

/** Refused with: 400 for anything but 1 to 100 letters, digits and hyphens (spec 8). */
export function checkDeviceIdentifier(deviceIdentifier: string): void {
  if (!isDeviceIdentifier(deviceIdentifier)) throw deviceFormatNotValid();
}

/** What a register signs its receipts with; null where its license brings none (spec 2.2, 4.2). */
export const fiscalCredentialsAnswer = z
  .object({ fiscal_tss_id: z.string(), fiscal_api_key: z.string() })
  .nullable()
  .meta({ id: 'FiscalCredentials' });

type Fiscal = Pick<TerminalSetupRow, 'fiscal_tss_id' | 'sealed_fiscal_api_key'>;

export function renderFiscalCredentials(
  { fiscal_tss_id: tssId, sealed_fiscal_api_key: sealed }: Fiscal,
  box: SecretBox,
): z.input<typeof fiscalCredentialsAnswer> {
  if (tssId === null || sealed === null) return null;
  return { fiscal_tss_id: tssId, fiscal_api_key: box.open(sealed, fiscalApiKeyPurpose) };
}

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
    is written and the code stays valid. When it cannot be reached, the activation goes on. Wrong codes are counted per
device, token
    and address, for ten minutes. The answer holds secrets: keep it off disks that others read.`,
  outcomes: [
    activationCodeFormat,
    badDeviceIdentifier,
    activationCodeUnknown,
    tooManyActivations,
    terminalIsDisabled.because('An administrator switched the terminal off.', 'Ask the administrator.'),
    licenseNotValid,
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
    if (!isActivationCode(body.activationCode)) throw activationCodeFormat();
    checkDeviceIdentifier(body.deviceIdentifier);

    const buckets = bucketsOf(body.deviceIdentifier, caller, clientAddress);
    if (!(await countAttempt(em, buckets))) throw tooManyActivations();
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
  if (finding.outcome === 'rejected') throw licenseNotValid([finding.message]);
}

/** Releases a terminal from its device, at the device's request (spec 3.4, 4.2). */
export const deactivateTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals/deactivate',
  acl: 'Vendor_Pos::locations',
  summary: 'Release a device from its terminal',
  name: 'deactivateTerminal',
  description: `Call it when a device is given away or set up again. A repeat by the same device answers true again.
    The device needs a new activation code then.`,
  outcomes: [badDeviceIdentifier, unknownTerminal, deviceMismatch],
  body: z.object({ terminalId: recordId, deviceIdentifier: text(10_000) }),
  response: z.literal(true),

  async handle({ em, body }) {
    checkDeviceIdentifier(body.deviceIdentifier);
    await releaseTerminal(em, body);
    return true as const;
  },
});
