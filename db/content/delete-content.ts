import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { refuseStale, type ExpectedRevision } from '../../domain/content/content-refusals.ts';
import { transact } from '../support/transact.ts';
import { lockContent, type ContentRef } from './lock-content.ts';
import { lockPublishing } from './lock-publishing.ts';
import { renderFormerUsersOf } from './render-users.ts';

/**
 * Deletes content with its versions, its publication and its schedules. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 409, 412 it changed since the caller read it.
 */
export const deleteContent = (
  em: EntityManager,
  given: ContentRef & { render: RenderContent<EntityManager>; expected?: ExpectedRevision | undefined },
): Promise<void> =>
  transact(em, async (tx) => {
    await lockPublishing(tx);
    const item = await lockContent(tx, given);
    refuseStale(given.expected, item);
    const { kind, identifier } = item;
    await tx.remove(item).flush();
    await renderFormerUsersOf(tx, { kind, identifier }, given.render);
  });
