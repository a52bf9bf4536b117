import { z } from 'zod';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { licenseTokenPurpose } from '../../db/terminals/licenses.ts';
import { findTerminalSetup, type TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';
import { unauthorized } from '../../domain/errors.ts';
import { effectiveStatus } from '../../domain/terminals/license.ts';
import { renderMoment } from '../wire/register/render-moment.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { idParam, text } from '../wire/schemas.ts';
import { askLicenseService } from './ask-license-service.ts';
import { fiscalCredentialsAnswer, renderFiscalCredentials } from './render-fiscal-credentials.ts';
import { otherDevice } from './terminal-outcomes.ts';
import { unknownTerminal } from '../wire/outcomes.ts';

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
  outcomes: [unknownTerminal, otherDevice],
  commits: 'several',
  params: z.object({ terminalId: idParam }),
  body: z.object({ deviceIdentifier: text(10_000) }),
  response: refreshAnswer,
  isPrivate: true,

  async handle({ em, params, body, providers, settings, now }) {
    const setup = await findTerminalSetup(em, params.terminalId);
    if (setup.device_identifier !== body.deviceIdentifier) throw unauthorized('Device identifier mismatch.');
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
