import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The number of attempts in the running window. The bucket's name is a digest, because it may identify a person. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limit',
  properties: {
    bucket: p.string().length(64).primary(),
    attempts: p.integer(),
    windowEndsAt: p.datetime(6).index(),
  },
});

export type RateLimit = InferEntity<typeof RateLimit>;
