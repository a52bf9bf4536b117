import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { integers, texts } from './entity-columns.ts';
import { sql } from './sql.ts';
import { transact } from './transact.ts';

export interface Bucket {
  /** What is counted, and for which caller; stored only as a digest. */
  name: string;
  limit: number;
  windowSeconds: number;
}

/** What a statement that counts is given of its buckets. */
export const bucketParameters = { keys: texts, windows: integers, limits: integers };

export const bucketValues = (buckets: readonly Bucket[]) => ({
  keys: buckets.map(keyOf),
  windows: buckets.map(({ windowSeconds }) => windowSeconds),
  limits: buckets.map(({ limit }) => limit),
});

/**
 * Lists are given as subqueries: PostgreSQL would count their members, find one plan for all lists dearer than its
 * guess for each, and plan the statement anew on every call.
 */
const countText = (from: string) => `
    insert into rate_limit as r (bucket, attempts, window_ends_at)
    select b.key, 1, now() + make_interval(secs => b.seconds)
    from unnest((select $keys::text[]), (select $windows::int[])) as b (key, seconds) ${from} order by b.key
    on conflict (bucket) do update set
      attempts = case when r.window_ends_at <= now() then 1 else r.attempts + 1 end,
      window_ends_at = case when r.window_ends_at <= now() then excluded.window_ends_at else r.window_ends_at end
    where r.window_ends_at <= now()
      or r.attempts < (select l.most from unnest((select $keys::text[]), (select $limits::int[])) as l (key, most)
        where l.key = r.bucket)`;

const count = sql('rate-limit.count')`${countText('')}`;

/**
 * Counts one attempt in each bucket within a statement that reads what is attempted. The disk is not waited for: what a
 * power cut takes is what was counted in the last second, and a visitor who has the power cut gains nothing by it.
 *
 * @param isThere a condition on the bucket's key, `b.key`: otherwise nothing is counted
 */
export const countSoonText = (isThere: string) =>
  countText(`cross join (select set_config('synchronous_commit', 'off', true) as commits) as soon
      where ${isThere}`);

/**
 * Counts one attempt in every bucket before it is made, in windows that begin with their first attempt.
 *
 * Exact for any number of concurrent attempts: one guarded upsert takes the buckets in one order. An attempt that one
 * bucket refuses counts in none.
 *
 * @returns whether the attempt may be made
 */
export async function countAttempt(em: EntityManager, buckets: readonly Bucket[]): Promise<boolean> {
  const counting = bucketValues(buckets);
  try {
    // One bucket alone is one statement: counted, or not.
    if (buckets.length === 1) return (await count.run(em, counting)) === 1;
    await transact(em, async (tx) => {
      const counted = await count.run(tx, counting);
      if (counted < buckets.length) throw new BucketFull();
    });
    return true;
  } catch (error) {
    if (error instanceof BucketFull) return false;
    throw error;
  }
}

const countAll = sql('rate-limit.countAll')`${countText('')} returning bucket, attempts`;

/**
 * Counts one attempt in every bucket and refuses none: for a caller that acts on the number. A bucket at its limit is
 * not counted further.
 *
 * @returns the attempts of each bucket, this one included, in the order of the buckets
 */
export async function countAttempts(em: EntityManager, buckets: readonly Bucket[]): Promise<number[]> {
  const counted = await countAll.all(em, bucketValues(buckets));
  return buckets.map((bucket) => counted.find((row) => row.bucket === keyOf(bucket))?.attempts ?? bucket.limit);
}

const clear = sql('rate-limit.clear')`delete from rate_limit where bucket = any($keys::text[])`;

/** Starts the count of these buckets again. A repeat changes nothing. */
export const clearAttempts = (em: EntityManager, buckets: readonly Pick<Bucket, 'name'>[]): Promise<number> =>
  clear.run(em, { keys: buckets.map(keyOf) });

/**
 * Takes an attempt back, because it does not count. Each bucket separately, so that no two are locked together and no
 * deadlock is possible.
 */
export async function forgetAttempt(em: EntityManager, buckets: readonly Bucket[]): Promise<void> {
  await Promise.all(buckets.map((bucket) => forget.run(em, { key: keyOf(bucket) })));
}

const forget = sql('rate-limit.forget')`
  update rate_limit set attempts = attempts - 1 where bucket = $key and attempts > 0`;

class BucketFull extends Error {}

const keyOf = ({ name }: Pick<Bucket, 'name'>) => hash('sha256', name);
