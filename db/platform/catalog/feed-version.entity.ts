import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Counts the changes of what a feed is made of, whoever writes, so that a register need not fetch the same twice. */
export const FeedVersion = defineEntity({
  name: 'FeedVersion',
  tableName: 'feed_version',
  properties: {
    feed: p.string().length(64).primary(),
    version: p.bigint('number').default(1),
  },
});
export type FeedVersion = InferEntity<typeof FeedVersion>;
