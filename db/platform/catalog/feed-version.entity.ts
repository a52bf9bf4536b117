import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Counts the changes of a feed's data, from every side, so that registers need not fetch the same data twice. */
export const FeedVersion = defineEntity({
  name: 'FeedVersion',
  tableName: 'feed_version',
  properties: {
    feed: p.string().length(64).primary(),
    version: p.bigint('number').default(1),
  },
});
export type FeedVersion = InferEntity<typeof FeedVersion>;
