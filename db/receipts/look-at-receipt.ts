import type { EntityManager } from '@mikro-orm/postgresql';
import { gathered } from '../support/gather.ts';
import { bucketValues, type Bucket } from '../support/rate-limit.ts';
import type { RowFrom } from '../support/statement.ts';
import { countedViewRows } from './receipt-view-rows.ts';

/** A visitor's look at a receipt. */
export interface Look {
  tokenDigest: string;
  /** What the look counts in. */
  bucket: Bucket;
}

type LookRow = RowFrom<typeof countedViewRows>;

/** Each may bring a megabyte: more would take too much memory at once. */
const mostTogether = 16;

/**
 * Reads the rows of a receipt and counts the look, in one statement that looks of the same moment share: beside it,
 * each alone costs the database twice as much. Exact for any number of looks at once: a statement counts once in a
 * bucket, so the next look of the same visitor is the next statement's.
 *
 * @returns undefined for an unknown token, which is not counted
 */
export const lookAtReceipt = gathered<Look, LookRow | undefined>({
  atMost: mostTogether,
  apart: ({ bucket }) => bucket.name,
  ask: lookTogether,
});

async function lookTogether(em: EntityManager, looks: readonly Look[]): Promise<(LookRow | undefined)[]> {
  const counting = bucketValues(looks.map(({ bucket }) => bucket));
  const tokenDigests = looks.map(({ tokenDigest }) => tokenDigest);
  const rows = await countedViewRows.all(em, { tokenDigests, ...counting });
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return counting.keys.map((key) => byKey.get(key));
}
