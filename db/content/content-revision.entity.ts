import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * Counts the transactions that changed public content; one row. Cached answers are valid for one revision.
 *
 * Triggers of the database count every write when its transaction commits.
 */
export const ContentRevision = defineEntity({
  name: 'ContentRevision',
  tableName: 'content_revision',
  properties: {
    revisionId: p.integer().primary(),
    revision: p.bigint('number').default(1),
    /** The last counted transaction: each counts once, however many rows it writes. */
    countedIn: p.bigint('number').default(0),
  },
  checks: [{ name: 'content_revision_one_row', expression: 'revision_id = 1' }],
});

export type ContentRevision = InferEntity<typeof ContentRevision>;
