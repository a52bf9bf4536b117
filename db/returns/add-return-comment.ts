import type { EntityManager } from '@mikro-orm/postgresql';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { ReturnComment } from './return.entity.ts';

export interface NewReturnComment {
  returnId: number;
  comment: string;
  status?: string;
  author?: string | null;
}

/** Adds a comment to a return's history, in the caller's transaction. */
export const addReturnComment = (em: EntityManager, comment: NewReturnComment): Promise<void> =>
  insertRows(em, [returnComments([comment])]);

/** Comments of a return's history, for a statement that writes other rows as well. */
export const returnComments = (comments: readonly NewReturnComment[]): Written =>
  into(
    ReturnComment,
    comments.map(({ returnId, comment, status, author }) => ({
      returnId,
      comment,
      status: status ?? null,
      author: author ?? null,
      createdAt: new Date(),
    })),
  );
