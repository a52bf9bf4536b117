import type { EntityManager } from '@mikro-orm/postgresql';
import { ReturnComment } from './return.entity.ts';

/** Writes a line of a return's history, in the caller's transaction. */
export function addReturnComment(
  em: EntityManager,
  { returnId, comment, status, author }: { returnId: number; comment: string; status?: string; author?: string },
): void {
  em.create(ReturnComment, { returnId, comment, status: status ?? null, author: author ?? null });
}
