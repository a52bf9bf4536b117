import { Terminal } from '../db/terminals/terminal.entity.ts';
import { saveTerminal } from '../db/terminals/save-terminal.ts';
import { fine, type Answer } from './support/answer.ts';
import { operator } from './support/operator.ts';
import { terminalNamed } from './support/terminal-named.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `terminal code ID` or `terminal code NAME`: a new activation code; the device that was bound is released. Each call makes another code, and
 * the one before it opens nothing any more. The audit trail names who asked for it.
 *
 * Refused with 404 for an unknown terminal, 400 for a name that two have.
 */
export async function terminalCode({ em: connect }: CommandContext, id: string): Promise<Answer> {
  const em = await connect();
  const terminalId = await terminalNamed(em, id);
  await saveTerminal(em, terminalId, { regenerateActivationCode: true }, operator());
  const { activationCode } = await em.fork().findOneOrFail(Terminal, { terminalId });
  return fine(activationCode ?? '', { terminal_id: terminalId, activation_code: activationCode });
}
