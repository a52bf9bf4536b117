import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import type { ContentKind } from '../../domain/content/content-kind.ts';
import { noSuchContent, refuseStale, type ExpectedRevision } from '../../domain/content/content-refusals.ts';
import { ContentItem } from './content-item.entity.ts';

export interface ContentRef {
  kind: ContentKind;
  contentId: number;
}

/** Content under its lock. Refused with: 404 unknown id, or content of another kind. */
export async function lockContent(tx: EntityManager, { kind, contentId }: ContentRef): Promise<ContentItem> {
  const item = await tx.findOne(ContentItem, { contentId, kind }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!item) throw noSuchContent(kind, contentId);
  return item;
}

/**
 * Counts one more change of content. Called only where something differs, so a repeat passes even with an old
 * expected revision.
 *
 * Refused with: 409 or 412 it changed since the caller read it.
 */
export function noteChange(
  item: ContentItem,
  { author, expected }: { author: string; expected?: ExpectedRevision | undefined },
): void {
  refuseStale(expected, item);
  item.revision += 1;
  item.changedBy = author;
}
