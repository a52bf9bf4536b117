import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import type { ExpectedRevision } from '../../domain/content/content-refusals.ts';
import { noSuchVersion } from '../../domain/content/content-refusals.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { transact } from '../support/transact.ts';
import { ContentPublication } from './content-publication.entity.ts';
import { ContentVersion } from './content-version.entity.ts';
import { lockContent, noteChange, type ContentRef } from './lock-content.ts';
import { lockPublishing } from './lock-publishing.ts';
import { renderFormerUsersOf, renderUsersOf } from './render-users.ts';
import { showInViews } from './show-text.ts';

export interface Publishing extends ContentRef {
  author: string;
  render: RenderContent<EntityManager>;
  expected?: ExpectedRevision | undefined;
  now: Date;
}

/**
 * Publishes a version of content, rendered now, and renders the content that contains it, where it is a block (spec
 * 4.12).
 *
 * A repeat renders again and changes nothing else. Refused with: 404 unknown content or version · 409, 412 it changed
 * since the caller read it.
 *
 * @param number the version; absent: the newest
 */
export const publishContent = (em: EntityManager, given: Publishing & { number?: number | undefined }): Promise<void> =>
  transact(em, async (tx) => {
    await lockPublishing(tx);
    const item = await lockContent(tx, given);
    const number = given.number ?? item.draftNumber;
    // Locked, so that it is not deleted meanwhile as an unpublished version.
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const version = await tx.findOne(ContentVersion, { contentId: item.contentId, number }, { lockMode });
    if (!version) throw noSuchVersion(number);
    const { title, content, fields, css: style } = version;
    const isNews = item.publishedNumber !== number;
    if (isNews) noteChange(item, given);
    item.publishedNumber = number;
    // Flushed first, because rendering reads the database: a block may contain itself.
    await tx.flush();
    const { html, css, uses, inViews } = await given.render(tx, {
      ...{ kind: item.kind, identifier: item.identifier, storeId: item.storeId },
      html: content,
      css: style,
    });
    const shown = { number, title, content, fields, html, css, uses: [...uses] };
    const known = await tx.findOne(ContentPublication, { contentId: item.contentId });
    const by = { publishedBy: given.author, publishedAt: given.now };
    if (known) tx.assign(known, { ...shown, ...(isNews ? by : {}) }, { mergeObjectProperties: false });
    else tx.create(ContentPublication, { contentId: item.contentId, ...shown, ...by });
    version.publishedAt ??= given.now;
    await tx.flush();
    await showInViews(tx, item.contentId, inViews);
    await renderUsersOf(tx, item, given.render);
  });

/**
 * Unpublishes content: it looks as if it had never been published. Its versions stay. A repeat changes nothing.
 *
 * Refused with: 404 unknown content · 409, 412 it changed since the caller read it.
 */
export const unpublishContent = (em: EntityManager, given: Publishing): Promise<void> =>
  transact(em, async (tx) => {
    await lockPublishing(tx);
    const item = await lockContent(tx, given);
    if (item.publishedNumber === null) return;
    noteChange(item, given);
    item.publishedNumber = null;
    await tx.nativeDelete(ContentPublication, { contentId: item.contentId });
    await tx.flush();
    await renderFormerUsersOf(tx, item, given.render);
  });
