import { grantLicense } from '../db/terminals/grant-license.ts';
import { invalid } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import { operator } from './support/operator.ts';
import { rowId } from './support/row-id.ts';
import type { Surroundings } from './support/surroundings.ts';

/**
 * `license grant --terminal ID --type pro|none [--key KEY]`: grants a license to a terminal, or revokes it. With a
 * key it is linked to the license service's license, which is asked from then on. A repeat changes nothing. The audit
 * trail names the operator.
 *
 * Refused with 400 for another type, an invalid key, or a key with `none`; 404 for an unknown terminal.
 */
export async function giveLicense(
  { em, secrets }: Surroundings,
  { terminal, type, key }: { terminal: string; type: string; key?: string },
): Promise<Answer> {
  if (type !== 'pro' && type !== 'none') throw invalid('A license is "pro" or "none", not "%1".', [type]);
  if (type === 'none' && key !== undefined) throw invalid('A key is for a license that is given: leave --key out.');
  const terminalId = rowId(terminal, 'terminal');
  await grantLicense(await em(), secrets(), { terminalId, type, licenseKey: key, by: operator() });
  const text =
    type === 'none' ? `Terminal ${terminalId} has no license now.` : `Terminal ${terminalId} has a PRO license.`;
  return fine(text, { terminal_id: terminalId, type });
}
