import { p } from '@mikro-orm/core';

/** Created and updated, in UTC, by the database's clock. */
export const timestamps = {
  createdAt: p
    .datetime(6)
    .defaultRaw('now()')
    .onCreate(() => new Date()),
  updatedAt: p
    .datetime(6)
    .defaultRaw('now()')
    .onCreate(() => new Date())
    .onUpdate(() => new Date()),
};
