import { grantLicense } from '../db/terminals/grant-license.ts';
import { invalid } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import { rowId } from './support/row-id.ts';
import type { Surroundings } from './support/surroundings.ts';

/**
 * `license grant --terminal ID --type pro|none`: gives a terminal its license, or takes it away. The same again changes
 * nothing.
 *
 * Refused with 400 for another type, 404 for an unknown terminal.
 */
export async function giveLicense(
  { em, secrets }: Surroundings,
  { terminal, type }: { terminal: string; type: string },
): Promise<Answer> {
  if (type !== 'pro' && type !== 'none') throw invalid('A license is "pro" or "none", not "%1".', [type]);
  const terminalId = rowId(terminal, 'a terminal');
  await grantLicense(await em(), secrets(), { terminalId, type });
  const text =
    type === 'none' ? `Terminal ${terminalId} has no license now.` : `Terminal ${terminalId} has a PRO license.`;
  return fine(text, { terminal_id: terminalId, type });
}
