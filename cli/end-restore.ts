import { concludeRestore } from '../db/installation/installation-home.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `restored over`: refunds since the backup are in the books again. Gateways are no longer asked before each refund.
 */
export async function endRestore({ em }: CommandContext): Promise<Answer> {
  await concludeRestore(await em());
  return fine('Gateways are not asked before each refund any more.', { over: true });
}
