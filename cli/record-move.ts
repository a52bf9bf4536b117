import { forgetWorkflows } from '../db/verdicts/mark-restored.ts';
import { recordHome } from '../db/installation/installation-home.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/** `restored moved`: the database was moved, and nothing is missing. Workers start again. */
export async function recordMove({ em }: CommandContext): Promise<Answer> {
  const books = await em();
  await recordHome(books);
  // Temporal may not have moved with it.
  await forgetWorkflows(books.fork());
  return fine('The database belongs here now. Workers may start.', { moved: true });
}
