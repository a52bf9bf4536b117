import { concludeRestore } from '../db/installation/where-it-lies.ts';
import { fine, type Answer } from './support/answer.ts';
import type { Surroundings } from './support/surroundings.ts';

/**
 * `restored over`: refunds since the backup are in the books again. Gateways are no longer asked before each refund.
 */
export async function sayRestoreIsOver({ em }: Surroundings): Promise<Answer> {
  await concludeRestore(await em());
  return fine('Gateways are not asked before each refund any more.', { over: true });
}
