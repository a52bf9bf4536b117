import { grantLicense } from '../db/terminals/licenses.ts';
import { invalid } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import { operator } from './support/operator.ts';
import type { CommandContext } from './support/command-context.ts';
import { terminalNamed } from './support/terminal-named.ts';

/**
 * `license grant --terminal ID|NAME --type pro|none [--key KEY]`: gives a terminal its license, or takes it away. With a key
 * it is the license the license service knows by it, which is asked from then on. The same again changes nothing. The
 * audit trail names who did it.
 *
 * Refused with 400 for another type, an invalid key, or a key with `none`; 404 for an unknown terminal.
 */
export async function giveLicense(
  { em, secrets }: CommandContext,
  { terminal, type, key }: { terminal: string; type: string; key?: string },
): Promise<Answer> {
  if (type !== 'pro' && type !== 'none') throw invalid('A license is "pro" or "none", not "%1".', [type]);
  if (type === 'none' && key !== undefined) throw invalid('A key is for a license that is given: leave --key out.');
  const connected = await em();
  const terminalId = await terminalNamed(connected, terminal);
  await grantLicense(connected.fork(), secrets(), { terminalId, type, licenseKey: key, by: operator() });
  const text =
    type === 'none' ? `Terminal ${terminalId} has no license now.` : `Terminal ${terminalId} has a PRO license.`;
  return fine(text, { terminal_id: terminalId, type });
}
