import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { auditLine } from '../audit/record-audit.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import type { LockedReturn } from './lock-return.ts';
import { ReturnComment } from './return.entity.ts';

export interface NewReturnComment {
  returnId: number;
  comment: string;
  status?: string;
  author?: string | null;
}

/** A person's words with a request, and by whom. */
export interface Noted {
  comment?: string | null;
  author?: string | null;
}

/** Adds a person's comment of a request to a return's history, where there is one. */
export const withComment = async (
  em: EntityManager,
  { returnId, status }: { returnId: number; status: string },
  { comment, author }: Noted,
): Promise<void> => {
  if (comment) await addReturnComment(em, { returnId, comment, status, author: author?.slice(0, 255) ?? null });
};

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
      createdAt: shopNow(),
    })),
  );

/**
 * Adds a comment unless the return has this one already, in the caller's transaction.
 * @returns whether it was added now
 */
export const addReturnCommentOnce = async (
  em: EntityManager,
  comment: { returnId: number; comment: string; status: string },
): Promise<boolean> => (await addOnce.run(em, comment)) > 0;

const addOnce = sql('add-return-comment.addOnce')`
  insert into sale_return_comment (return_id, comment, status, created_at)
  select $returnId, $comment, $status, clock_timestamp()
  where not exists (select from sale_return_comment where return_id = $returnId and comment = $comment)`;

/** Changes the status of a locked return and its lines, with an audit entry. An ended return waits for nothing more. */
export const changeStatus = (em: EntityManager, rma: LockedReturn, to: ReturnStatus): Promise<void> =>
  insertRows(em, [moveTo(rma, to)]);

/** The same, for a statement that writes other rows as well; it returns the audit entry. */
export function moveTo(rma: LockedReturn, to: ReturnStatus): Written {
  const from = rma.status;
  rma.status = to;
  if (isTerminal(to)) rma.isReady = true;
  for (const item of rma.items) item.status = to;
  return auditLine({
    entityType: 'return',
    entityId: String(rma.returnId),
    entityName: rma.incrementId,
    fieldName: 'status',
    oldValue: from,
    newValue: to,
    changeSource: 'api',
  });
}
