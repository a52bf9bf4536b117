import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { RenewalFailure } from '../../domain/content/followed-renewal.ts';
import { timestamps } from '../support/timestamps.ts';

/**
 * Progress of rendering the content that contains a changed block. A separate workflow renders a few places at a
 * time. One row per block; the next change of the block starts it again.
 */
export const ContentRenewal = defineEntity({
  name: 'ContentRenewal',
  tableName: 'content_renewal',
  properties: {
    renewalId: p.integer().primary().autoincrement(),
    /** The block's identifier, in any view; `*` for all content with directives. */
    identifier: p.string().length(100).unique(),
    /** The block is no longer shown: content that cannot be rendered without it is emptied. */
    isRemoval: p.boolean(),
    /** How many places contained the block when it changed. */
    places: p.integer(),
    rendered: p.integer().default(0),
    /** How many places could not be rendered. */
    failed: p.integer().default(0),
    /** The id of the last rendered place: places are rendered in the order of their ids. */
    renderedUpTo: p.integer().default(0),
    /**
     * Set when the block changed during rendering: after the last place, rendering starts again with the first one,
     * up to this id. While `until` is above `renderedUpTo`, that second part is running. 0: nothing follows the last
     * place.
     */
    until: p.integer().default(0),
    /** The first places that could not be rendered. */
    failures: p.json<RenewalFailure[]>().defaultRaw(`'[]'::jsonb`),
    startedAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'content_renewal_open', properties: ['updatedAt'], where: `"finished_at" is null` },
    { name: 'content_renewal_finished', properties: ['finishedAt'] },
  ],
  checks: [{ name: 'content_renewal_counts', expression: 'rendered >= 0 and failed >= 0 and places >= 0' }],
});

export type ContentRenewal = InferEntity<typeof ContentRenewal>;
