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
 * each alone costs the database twice as much. Exact for any number of looks at once.
 *
 * @returns undefined for an unknown token, which is not counted
 */
export const lookAtReceipt = gathered<Look, LookRow | undefined>({ atMost: mostTogether, ask: lookTogether });

async function lookTogether(em: EntityManager, looks: readonly Look[]): Promise<(LookRow | undefined)[]> {
  const seen = new Map<Look, LookRow>();
  for (const turn of turnsOf(looks)) {
    const counting = bucketValues(turn.map(({ bucket }) => bucket));
    const rows = await countedViewRows.all(em, {
      tokenDigests: turn.map(({ tokenDigest }) => tokenDigest),
      ...counting,
    });
    const byKey = new Map(rows.map((row) => [row.key, row]));
    for (const [at, look] of turn.entries()) {
      const row = byKey.get(counting.keys[at] ?? '');
      if (row) seen.set(look, row);
    }
  }
  return looks.map((look) => seen.get(look));
}

/** One statement counts in a bucket once: the next look of the same visitor is the next statement's. */
function turnsOf(looks: readonly Look[]): Look[][] {
  const turns: Look[][] = [];
  const earlier = new Map<string, number>();
  for (const look of looks) {
    const turn = earlier.get(look.bucket.name) ?? 0;
    earlier.set(look.bucket.name, turn + 1);
    (turns[turn] ??= []).push(look);
  }
  return turns;
}
