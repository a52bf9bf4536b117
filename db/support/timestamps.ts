import { p } from '@mikro-orm/core';
import { shopNow } from './shop-clock.ts';

/** Created and updated, in UTC, by the database's clock. */
export const timestamps = {
  createdAt: p
    .datetime(6)
    .defaultRaw('now()')
    .onCreate(() => shopNow()),
  updatedAt: p
    .datetime(6)
    .defaultRaw('now()')
    .onCreate(() => shopNow())
    .onUpdate(() => shopNow()),
};
