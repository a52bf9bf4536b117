import { beginRenewalOfEverything } from '../db/content/content-renewals.ts';
import { transact } from '../db/support/transact.ts';
import { fine, type Answer } from './support/answer.ts';
import type { Surroundings } from './support/surroundings.ts';

/**
 * `content render`: a worker renders anew all published content that has something to fill in, such as after a store view
 * was added. A setting that content may show does the same when `config set` changes it. A repeat does it once more.
 */
export async function renderContentAnew({ em }: Surroundings): Promise<Answer> {
  const places = await transact(await em(), beginRenewalOfEverything);
  const text =
    places === 0
      ? 'No published content has anything to fill in.'
      : `A worker begins within two minutes to render ${places} ${places === 1 ? 'text' : 'texts'} anew.`;
  return fine(text, { places });
}
