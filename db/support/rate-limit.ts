import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from './query.ts';
import { transact } from './transact.ts';

export interface Bucket {
  /** What is counted, for whom; kept as a digest only. */
  name: string;
  limit: number;
  windowSeconds: number;
}

const count = `
insert into rate_limit as r (bucket, attempts, window_ends_at)
select b.key, 1, now() + make_interval(secs => b.seconds)
from unnest($1::text[], $2::int[]) as b (key, seconds) order by b.key
on conflict (bucket) do update set
  attempts = case when r.window_ends_at <= now() then 1 else r.attempts + 1 end,
  window_ends_at = case when r.window_ends_at <= now() then excluded.window_ends_at else r.window_ends_at end
where r.window_ends_at <= now()
  or r.attempts < (select l.most from unnest($1::text[], $3::int[]) as l (key, most) where l.key = r.bucket)
returning attempts`;

/**
 * Counts one attempt in every bucket before it is made, in windows that begin with their first attempt.
 *
 * Exact under any number of attempts at once: one guarded upsert that takes the buckets in one order. An attempt that one
 * bucket refuses counts in none.
 *
 * @returns whether the attempt may be made
 */
export async function countAttempt(em: EntityManager, buckets: readonly Bucket[]): Promise<boolean> {
  const keyed = buckets.map((bucket) => ({ ...bucket, key: keyOf(bucket) }));
  const values = [
    keyed.map(({ key }) => key),
    keyed.map(({ windowSeconds }) => windowSeconds),
    keyed.map(({ limit }) => limit),
  ];
  try {
    // One bucket alone is one statement: counted, or not.
    if (buckets.length === 1) return (await query(em, count, values)).length === 1;
    await transact(em, async (tx) => {
      const counted = await query<{ attempts: number }>(tx, count, values);
      if (counted.length < buckets.length) throw new BucketFull();
    });
    return true;
  } catch (error) {
    if (error instanceof BucketFull) return false;
    throw error;
  }
}

/**
 * Gives an attempt back: it was not one of those that are limited. Each bucket by itself, so that no two are locked
 * together and nobody waits in a circle.
 */
export async function forgetAttempt(em: EntityManager, buckets: readonly Bucket[]): Promise<void> {
  const text = 'update rate_limit set attempts = attempts - 1 where bucket = $1 and attempts > 0';
  await Promise.all(buckets.map((bucket) => query(em, text, [keyOf(bucket)])));
}

class BucketFull extends Error {}

const keyOf = ({ name }: Bucket) => createHash('sha256').update(name).digest('hex');
