/** What a caller has, beside what there is (spec 4.5). */
export interface Freshness {
  /** The `indexed_at` of the caller's copy. */
  ifIndexedAfter: Date | undefined;
  /** When prices last changed; null: never. */
  indexedAt: Date | null;
  /** The day the prices stand around; null: none yet. */
  day: string | null;
  /** In the website's zone. */
  today: string;
}

/**
 * Whether the caller's prices still hold: nothing was indexed since, and no day has begun since that either. A copy
 * without `ifIndexedAfter` is never good enough.
 */
export const isUnchanged = ({ ifIndexedAfter, indexedAt, day, today }: Freshness): boolean =>
  ifIndexedAfter !== undefined && indexedAt !== null && day === today && ifIndexedAfter >= indexedAt;
