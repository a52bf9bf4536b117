import { beginRenewalOfEverything } from '../db/content/content-renewals.ts';
import { transact } from '../db/support/transact.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `content render`: has a worker render all published content with directives, such as after adding a store view.
 * `config set` does the same for a setting that content may show. A repeat renders again.
 */
export async function renderContentAnew({ em }: CommandContext): Promise<Answer> {
  const places = await transact(await em(), beginRenewalOfEverything);
  const text =
    places === 0
      ? 'No published content has settings, addresses or blocks.'
      : `A worker begins within two minutes to render ${places} ${places === 1 ? 'text' : 'texts'} again.`;
  return fine(text, { places });
}
