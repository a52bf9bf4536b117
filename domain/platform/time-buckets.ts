/** Buckets of time in UTC, the finest first. Sums of whole buckets are stored, so they are read and not counted. */
export const bucketSizes = ['hour', 'day', 'month'] as const;

export type BucketSize = (typeof bucketSizes)[number];

/** From a moment on, up to and excluding another; an absent end is open. */
export interface Span {
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface BucketRun extends Span {
  size: BucketSize;
}

export interface CutSpan {
  /** Whole buckets, as few as possible. */
  runs: BucketRun[];
  /** The buckets of the finest size at the ends of the span, one or two each: the span may cover them only in part. */
  edges: Required<Span>[];
}

/** The start of the bucket that contains a moment. */
export function startOf(size: BucketSize, moment: Date): Date {
  const start = new Date(moment);
  if (size === 'month') start.setUTCDate(1);
  if (size === 'hour') start.setUTCMinutes(0, 0, 0);
  else start.setUTCHours(0, 0, 0, 0);
  return start;
}

/** The end of the bucket that contains a moment: the start of the next one. */
export function endOf(size: BucketSize, moment: Date): Date {
  const end = startOf(size, moment);
  if (size === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else if (size === 'day') end.setUTCDate(end.getUTCDate() + 1);
  else end.setUTCHours(end.getUTCHours() + 1);
  return end;
}

/** Cuts a span into whole buckets of these sizes, the finest first, and the partial buckets at its ends. */
export function cutSpan({ from, to }: Span, sizes: readonly BucketSize[]): CutSpan {
  const [finest = 'hour'] = sizes;
  const firstWhole = from && nextStart(finest, from);
  const lastEnd = to && startOf(finest, to);
  if (firstWhole && lastEnd && firstWhole >= lastEnd)
    return { runs: [], edges: [{ from: startOf(finest, from), to: nextStart(finest, to) }] };
  const edges: Required<Span>[] = [];
  if (from && firstWhole && from < firstWhole) edges.push({ from: startOf(finest, from), to: firstWhole });
  if (to && lastEnd && lastEnd < to) edges.push({ from: lastEnd, to: nextStart(finest, to) });
  return { runs: runsOf({ from: firstWhole, to: lastEnd }, sizes), edges };
}

/** The first bucket start at or after a moment. */
function nextStart(size: BucketSize, moment: Date): Date {
  const start = startOf(size, moment);
  return start.getTime() === moment.getTime() ? start : endOf(size, moment);
}

/** Coarse buckets where they fit, finer ones at both ends. */
function runsOf({ from, to }: Span, sizes: readonly BucketSize[]): BucketRun[] {
  const [size, ...coarser] = sizes;
  if (!size) return [];
  const [next] = coarser;
  const low = from && next && nextStart(next, from);
  const high = to && next && startOf(next, to);
  if (!next || (low && high && low >= high)) return [{ size, from, to }];
  const sides: BucketRun[] = [
    ...(from && low && from < low ? [{ size, from, to: low }] : []),
    ...(to && high && high < to ? [{ size, from: high, to }] : []),
  ];
  return [...sides, ...runsOf({ from: low, to: high }, coarser)];
}
