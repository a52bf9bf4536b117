import { Terminal } from '../db/terminals/terminal.entity.ts';
import { saveTerminal } from '../db/terminals/save-terminal.ts';
import { fine, type Answer } from './support/answer.ts';
import { operator } from './support/operator.ts';
import { rowId } from './support/row-id.ts';
import type { Surroundings } from './support/surroundings.ts';

/**
 * `terminal code ID`: a new activation code; the bound device is released. Each call makes another code, and the
 * former one becomes invalid. The audit trail names the operator.
 *
 * Refused with 404 for an unknown terminal.
 */
export async function terminalCode({ em: connect }: Surroundings, id: string): Promise<Answer> {
  const em = await connect();
  const terminalId = rowId(id, 'terminal');
  await saveTerminal(em, terminalId, { regenerateActivationCode: true }, operator());
  const { activationCode } = await em.fork().findOneOrFail(Terminal, { terminalId });
  return fine(activationCode ?? '', { terminal_id: terminalId, activation_code: activationCode });
}
