import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { RenewalFailure } from '../../domain/content/followed-renewal.ts';
import { timestamps } from '../support/timestamps.ts';

/**
 * A block that changed within many others: how far they have been rendered anew since. A workflow of its own does it,
 * some at a time. One row for each block; the next change of the block begins it anew.
 */
export const ContentRenewal = defineEntity({
  name: 'ContentRenewal',
  tableName: 'content_renewal',
  properties: {
    renewalId: p.integer().primary().autoincrement(),
    /** Of the block, in whatever view; `*` for all that has something to fill in. */
    identifier: p.string().length(100).unique(),
    /** The block is shown no more: what cannot be rendered without it is emptied. */
    isRemoval: p.boolean(),
    /** How many others it was part of when it changed. */
    places: p.integer(),
    rendered: p.integer().default(0),
    /** How many could not be. */
    failed: p.integer().default(0),
    /** The last one that was rendered, by its id: they are rendered in the order of their ids. */
    renderedUpTo: p.integer().default(0),
    /**
     * The block changed when they were rendered so far: after the last one the first ones come, up to this. While it is above
     * `renderedUpTo`, it is their turn. 0: nothing comes after the last one.
     */
    until: p.integer().default(0),
    /** The first of those that could not be rendered. */
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
