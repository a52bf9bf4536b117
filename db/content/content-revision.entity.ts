import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * Counts the transactions that changed what anybody may see of content; one row. Answers that are kept are kept for one
 * revision.
 *
 * Counted by triggers of the database, whoever writes, when the transaction commits.
 */
export const ContentRevision = defineEntity({
  name: 'ContentRevision',
  tableName: 'content_revision',
  properties: {
    revisionId: p.integer().primary(),
    revision: p.bigint('number').default(1),
    /** The transaction that counted last: each counts once, however many rows it writes. */
    countedIn: p.bigint('number').default(0),
  },
  checks: [{ name: 'content_revision_one_row', expression: 'revision_id = 1' }],
});

export type ContentRevision = InferEntity<typeof ContentRevision>;
