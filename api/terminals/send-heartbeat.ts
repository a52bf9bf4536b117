import { z } from 'zod';
import { configHash } from '../../db/configuration/config-hash.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { claimLicenseCheck } from '../../db/terminals/activate-terminal.ts';
import { licenseTokenPurpose } from '../../db/terminals/licenses.ts';
import { recordHeartbeat, type Heartbeat } from '../../db/terminals/record-heartbeat.ts';
import { findTerminalSetup, type TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';
import { isOn } from '../../domain/configuration/setting-defaults.ts';
import { deviceMismatch } from '../../domain/refusals/register.ts';
import { effectiveStatus, inactiveReason, inactiveReasons } from '../../domain/terminals.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { route, type RouteContext } from '../http/route.ts';
import { unknownTerminal } from '../wire/outcomes.ts';
import { capabilitiesOf, installed } from '../wire/register/capabilities.ts';
import { renderMoment } from '../wire/register/render-terminal.ts';
import { idParam, text } from '../wire/schemas.ts';
import { askLicenseService } from './ask-license-service.ts';
import {
  badDeviceIdentifier,
  checkDeviceIdentifier,
  fiscalCredentialsAnswer,
  renderFiscalCredentials,
} from './terminals.ts';

const heartbeatAnswer = z
  .object({
    is_active: z.boolean(),
    device_identifier: z.string(),
    require_terminal_registration: z.boolean(),
    config_hash: z.string(),
    upstream_connection_ok: z.boolean(),
    has_license: z.boolean(),
    license_status: z.string().nullable(),
    license_expires_at: z.string().nullable(),
    license_token: z.string().nullable(),
    inactive_reason: z.enum(inactiveReasons).nullable(),
    last_upstream_check_at: z.string().nullable(),
    last_upstream_check_succeeded: z.boolean(),
  })
  .meta({ id: 'Heartbeat' });

/**
 * A register's sign of life (spec 4.2): notes it, and tells whether the register is active and whether its
 * configuration changed.
 */
export const sendHeartbeat = route({
  method: 'POST',
  path: '/V1/pos/terminals/:terminalId/heartbeat',
  acl: 'Vendor_Pos::locations',
  summary: 'A sign of life of a terminal',
  name: 'sendHeartbeat',
  description: `Send it every minute or so. Compare \`config_hash\` with the one you know: where it differs, pull
    \`GET …/config\`. Where \`is_active\` is false, \`inactive_reason\` says why, and the register should stop
    selling. Each beat moves \`last_seen_at\`; any number of beats is as good as the last. Once a day the beat has the
    license service asked; the next beat tells what it said.`,
  outcomes: [badDeviceIdentifier, unknownTerminal, deviceMismatch],
  commits: 'several',
  params: z.object({ terminalId: idParam }),
  body: z.object({ deviceIdentifier: text(10_000) }),
  response: heartbeatAnswer,
  isPrivate: true,

  async handle(request) {
    const { em, params, body, providers, settings, now } = request;
    checkDeviceIdentifier(body.deviceIdentifier);
    const found = await recordHeartbeat(em, { ...params, ...body });
    if (mayBeDue(found, request)) void askBehind(request, { ...params, ...body, licenseId: found.licenseId });
    const hash = configHash({ versions: found.versions, installed: installed(capabilitiesOf(providers)) });
    return renderHeartbeat({ found, hash, deviceIdentifier: body.deviceIdentifier, box: secretBoxOf(settings), now });
  },
});

const hourMs = 3_600_000;

/** Looked at first without the database: most beats come soon after an answer. */
const mayBeDue = (
  { licenseId, isBound, lastUpstreamCheckAt: at }: Heartbeat,
  { providers, now }: Pick<RouteContext, 'providers' | 'now'>,
): boolean =>
  licenseId !== null &&
  isBound &&
  providers.license.isConnected &&
  (at === null || now.getTime() - Date.parse(at) >= hourMs);

/**
 * Asks the license service where it is due, while nobody waits for it: a license that was revoked there stops its
 * register though nobody refreshes it. A service that is away stops none.
 */
async function askBehind(
  { em: outer, providers, settings, now, log }: RouteContext,
  {
    terminalId,
    deviceIdentifier,
    licenseId,
  }: { terminalId: number; deviceIdentifier: string; licenseId: number | null },
): Promise<void> {
  try {
    const em = outer.fork();
    if (licenseId === null || !(await claimLicenseCheck(em, licenseId))) return;
    const box = secretBoxOf(settings);
    const setup = await findTerminalSetup(em, terminalId);
    await askLicenseService({ em, providers, box, now }, setup, { verb: 'refresh', deviceIdentifier });
  } catch (error) {
    log.warn({ terminalId, error }, 'a license could not be looked at; it is asked about again in an hour or a day');
  }
}

function renderHeartbeat(posted: {
  found: Heartbeat;
  hash: string;
  deviceIdentifier: string;
  box: SecretBox;
  now: Date;
}): z.input<typeof heartbeatAnswer> {
  const { found, hash, deviceIdentifier, box, now } = posted;
  const { sealedToken, licenseStatus: stored, licenseExpiresAt } = found;
  const expiresAt = licenseExpiresAt === null ? null : new Date(licenseExpiresAt);
  const licenseStatus = stored && effectiveStatus({ status: stored, expiresAt }, now);
  const reason = inactiveReason({ ...found, licenseStatus });
  return {
    is_active: reason === null,
    device_identifier: deviceIdentifier,
    require_terminal_registration: isOn(found.requiresTerminalRegistration ?? '1'),
    config_hash: hash,
    upstream_connection_ok: found.lastUpstreamCheckSucceeded !== false,
    has_license: found.licenseId !== null,
    license_status: licenseStatus,
    license_expires_at: renderMoment(expiresAt),
    license_token: sealedToken === null || !found.isBound ? null : box.open(sealedToken, licenseTokenPurpose),
    inactive_reason: reason,
    last_upstream_check_at: renderMoment(found.lastUpstreamCheckAt),
    last_upstream_check_succeeded: found.lastUpstreamCheckSucceeded === true,
  };
}

const refreshAnswer = z.object({
  success: z.boolean(),
  license_token: z.string().nullable(),
  license_status: z.string().nullable(),
  license_expires_at: z.string().nullable(),
  fiscal_credentials: fiscalCredentialsAnswer,
  error: z.string().nullable(),
});

/**
 * Asks the license service at once what holds for a terminal's license, and keeps what it tells (spec 4.2). A service
 * that says no or nothing is `success: false` with its words and with what held before. The service is asked outside
 * any transaction; a repeat asks once more.
 */
export const refreshLicense = route({
  method: 'POST',
  path: '/V1/pos/terminals/:terminalId/license/refresh',
  acl: 'Vendor_Pos::locations',
  summary: "Ask for a terminal's license at once",
  name: 'refreshLicense',
  description: `Asks the license service now and keeps what it tells. A service that says no, or nothing, is
    \`success\` false with its words in \`error\`; the other fields are what held before. A repeat asks once more.`,
  outcomes: [unknownTerminal, deviceMismatch],
  commits: 'several',
  params: z.object({ terminalId: idParam }),
  body: z.object({ deviceIdentifier: text(10_000) }),
  response: refreshAnswer,
  isPrivate: true,

  async handle({ em, params, body, providers, settings, now }) {
    const setup = await findTerminalSetup(em, params.terminalId);
    if (setup.device_identifier !== body.deviceIdentifier) throw deviceMismatch();
    const box = secretBoxOf(settings);
    const finding = await askLicenseService({ em, providers, box, now }, setup, {
      verb: 'refresh',
      deviceIdentifier: body.deviceIdentifier,
    });
    const error = finding.outcome === 'found' ? null : finding.message;
    return {
      ...renderLicense(await findTerminalSetup(em, params.terminalId), box, now),
      success: error === null,
      error,
    };
  },
});

function renderLicense(setup: TerminalSetupRow, box: SecretBox, now: Date) {
  const { license_status: status, sealed_token: sealed, expires_at: expiresAt } = setup;
  return {
    license_token: sealed === null ? null : box.open(sealed, licenseTokenPurpose),
    license_status:
      status && effectiveStatus({ status, expiresAt: expiresAt === null ? null : new Date(expiresAt) }, now),
    license_expires_at: renderMoment(expiresAt),
    fiscal_credentials: renderFiscalCredentials(setup, box),
  };
}
