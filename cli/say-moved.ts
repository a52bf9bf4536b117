import { moveIn } from '../db/installation/where-it-lies.ts';
import { fine, type Answer } from './support/answer.ts';
import type { Surroundings } from './support/surroundings.ts';

/** `restored moved`: the database was moved, and nothing is missing. Workers start again. */
export async function sayMoved({ em }: Surroundings): Promise<Answer> {
  await moveIn(await em());
  return fine('The database belongs here now. Workers may start.', { moved: true });
}
