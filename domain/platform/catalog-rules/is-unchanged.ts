/** The caller's copy, and the present state (spec 4.5). */
export interface Freshness {
  /** The `indexed_at` of the caller's copy. */
  ifIndexedAfter: Date | undefined;
  /** When prices last changed; null: never. */
  indexedAt: Date | null;
  /** The day for which prices were indexed; null: none yet. */
  day: string | null;
  /** In the website's zone. */
  today: string;
}

/**
 * Whether the caller's prices still hold: no indexing since then, and no new day since the last indexing. Without
 * `ifIndexedAfter` the answer is always false.
 */
export const isUnchanged = ({ ifIndexedAfter, indexedAt, day, today }: Freshness): boolean =>
  ifIndexedAfter !== undefined && indexedAt !== null && day === today && ifIndexedAfter >= indexedAt;
