import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import { replayDeliveries, type Replayed } from './deliveries.ts';

const batchSize = 10_000;
/** Half of what a request may take. */
const maxReplayMs = 30_000;

/**
 * Sends all events since a moment again, in batches of their own commits. A repeat sends them once more; events that
 * are not stored any more are not sent.
 *
 * @returns also whether all of them are on their way; else the rest follows after `last`
 */
export async function replaySince(
  em: EntityManager,
  { endpointId, since }: { endpointId: number; since: Date },
): Promise<Replayed & { isWhole: boolean }> {
  const { first = 0, newest = 0 } = (await placesSince.first(em, { since })) ?? {};
  const all = { replayed: 0, last: 0, isWhole: true };
  const end = performance.now() + maxReplayMs;
  for (let from = first; from > 0 && from <= newest;) {
    if (performance.now() > end) return { ...all, isWhole: false };
    const { replayed, last } = await replayDeliveries(em, { endpointId, from, to: newest, limit: batchSize });
    if (replayed === 0) break;
    all.replayed += replayed;
    all.last = last;
    from = last + 1;
  }
  return all;
}

/** Of one object the places are in the order of time, of different ones nearly so: the lowest place is the start. */
const placesSince = sql('replay-since.placesSince')`
  select coalesce(min(sequence), 0) as first, coalesce(max(sequence), 0) as newest
  from pos_event where occurred_at >= $since and sequence is not null`;
