import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** A sequence with the used share of its ids, from 0 to 1. */
export type SequenceUse = RowFrom<typeof readFullest>;

/** Used share of a sequence above which `pos doctor` warns; the alert `PosIdsRunOut` has the same. */
export const maxUsedShare = 0.5;

/**
 * Lists the sequences that have used the largest share of their ids, the fullest first.
 *
 * Ids are JSON numbers, so the ids of a sequence end at 2^53 - 1, or earlier where the sequence itself ends earlier.
 */
export const listFullestSequences = (em: EntityManager, limit: number): Promise<SequenceUse[]> =>
  readFullest.all(em, { limit });

const readFullest = sql('sequences.readFullest')`
  select sequencename::text as sequence,
    coalesce(last_value, 0)::float8 / least(max_value, ${Number.MAX_SAFE_INTEGER}) as used_share
  from pg_sequences where schemaname = current_schema() and increment_by > 0
  order by used_share desc, sequence limit $limit`;
