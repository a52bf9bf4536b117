import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { transact } from './transact.ts';

export interface Bucket {
  /** What is counted, for whom; kept as a digest only. */
  name: string;
  limit: number;
  windowSeconds: number;
}

/**
 * Counts one attempt in every bucket before it is made, in windows that begin with their first attempt.
 *
 * Exact under any number of attempts at once: each bucket is one guarded upsert, all in one order. An attempt that one
 * bucket refuses counts in none.
 *
 * @returns whether the attempt may be made
 */
export async function countAttempt(em: EntityManager, buckets: readonly Bucket[]): Promise<boolean> {
  const inOrder = buckets.map(keyed).sort((one, other) => (one.key < other.key ? -1 : 1));
  try {
    await transact(em, async (tx) => {
      for (const { key, limit, windowSeconds } of inOrder) {
        const [row] = await tx.execute<{ attempts: number }[]>(
          `insert into rate_limit as r (bucket, attempts, window_ends_at) values (?, 1, now() + make_interval(secs => ?))
           on conflict (bucket) do update set
             attempts = case when r.window_ends_at <= now() then 1 else r.attempts + 1 end,
             window_ends_at = case when r.window_ends_at <= now() then excluded.window_ends_at else r.window_ends_at end
           where r.window_ends_at <= now() or r.attempts < ?
           returning attempts`,
          [key, windowSeconds, limit],
        );
        if (!row) throw new BucketFull();
      }
    });
    return true;
  } catch (error) {
    if (error instanceof BucketFull) return false;
    throw error;
  }
}

/**
 * Gives an attempt back: it was not one of those that are limited. One bucket after the other, so that no two are locked
 * together and nobody waits in a circle.
 */
export async function forgetAttempt(em: EntityManager, buckets: readonly Bucket[]): Promise<void> {
  for (const { key } of buckets.map(keyed))
    await em.execute('update rate_limit set attempts = attempts - 1 where bucket = ? and attempts > 0', [key]);
}

class BucketFull extends Error {}

const keyed = (bucket: Bucket) => ({ ...bucket, key: createHash('sha256').update(bucket.name).digest('hex') });
