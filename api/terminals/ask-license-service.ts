import type { SecretBox } from '../../db/support/secret-box.ts';
import { recordLicenseCheck } from '../../db/terminals/licenses.ts';
import type { TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';
import type { LicenseFinding } from '../../providers/license.ts';
import type { RouteContext } from '../http/route.ts';

export interface Asking extends Pick<RouteContext, 'em' | 'providers' | 'now'> {
  box: SecretBox;
}

/**
 * Asks the license service about a terminal's license, outside any transaction, and records the question and the
 * answer. Not for a terminal without a license, or with one that an administrator granted.
 */
export async function askLicenseService(
  { em, providers, box, now }: Asking,
  { license_id: licenseId, license_key: licenseKey }: TerminalSetupRow,
  { verb, deviceIdentifier }: { verb: 'refresh' | 'activate'; deviceIdentifier: string },
): Promise<LicenseFinding> {
  if (licenseId === null) return { outcome: 'not_asked', message: 'The terminal has no license.' };
  if (licenseKey === null)
    return { outcome: 'not_asked', message: 'An administrator granted this license: there is no service to ask.' };
  const finding = await providers.license[verb]({ licenseKey, deviceIdentifier });
  if (finding.outcome === 'not_asked') return finding;
  const news = finding.outcome === 'found' ? { news: finding.report } : {};
  await recordLicenseCheck(em, box, { licenseId, ...news, now });
  return finding;
}
