import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchVersion, type ExpectedRevision } from '../../domain/content/content-refusals.ts';
import { transact } from '../support/transact.ts';
import { ContentVersion } from './content-version.entity.ts';
import { lockContent, noteChange, type ContentRef } from './lock-content.ts';
import { differs, versionOf } from './save-content.ts';

/**
 * Makes an older version the draft again, as one more version; the published text stays until the draft is published
 * (spec 4.12).
 *
 * A repeat changes nothing. Refused with: 404 unknown content or version · 409, 412 it changed since the caller read
 * it.
 */
export const rollBackContent = (
  em: EntityManager,
  given: ContentRef & { number: number; author: string; expected?: ExpectedRevision | undefined },
): Promise<void> =>
  transact(em, async (tx) => {
    const item = await lockContent(tx, given);
    const version = await tx.findOne(ContentVersion, { contentId: item.contentId, number: given.number });
    if (!version) throw noSuchVersion(given.number);
    const { title, content, css, fields } = version;
    const draft = { title, content, css, fields };
    if (!differs(item, draft)) return;
    noteChange(item, given);
    tx.assign(item, { ...draft, draftNumber: item.draftNumber + 1 }, { mergeObjectProperties: false });
    tx.create(ContentVersion, { ...versionOf(item, given.author), repeats: given.number });
    await tx.flush();
  });
