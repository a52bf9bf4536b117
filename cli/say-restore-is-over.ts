import { concludeRestore } from '../db/installation/where-it-lies.ts';
import { fine, type Answer } from './support/answer.ts';
import type { Surroundings } from './support/surroundings.ts';

/** `restored over`: what was refunded after the backup is in the books again. Refunds go out without asking first. */
export async function sayRestoreIsOver({ em }: Surroundings): Promise<Answer> {
  await concludeRestore(await em());
  return fine('Gateways are not asked before each refund any more.', { over: true });
}
