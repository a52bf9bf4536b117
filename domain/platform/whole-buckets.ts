/** Buckets of time in UTC, the finest first: what is summed up by them is looked up, not counted. */
export const bucketSizes = ['hour', 'day', 'month'] as const;
export type BucketSize = (typeof bucketSizes)[number];

/** From a moment on, up to but without another; an end that is not there is open. */
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
  /** The buckets of the finest size, one or two each, that the span reaches into and may not fill. */
  edges: Required<Span>[];
}

/** The start of the bucket that a moment lies in. */
export function startOf(size: BucketSize, moment: Date): Date {
  const start = new Date(moment);
  if (size === 'month') start.setUTCDate(1);
  if (size === 'hour') start.setUTCMinutes(0, 0, 0);
  else start.setUTCHours(0, 0, 0, 0);
  return start;
}

/** The end of the bucket that a moment lies in: the start of the next one. */
export function endOf(size: BucketSize, moment: Date): Date {
  const end = startOf(size, moment);
  if (size === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else if (size === 'day') end.setUTCDate(end.getUTCDate() + 1);
  else end.setUTCHours(end.getUTCHours() + 1);
  return end;
}

/** Cuts a span into whole buckets of these sizes, the finest first, and the buckets at its edges. */
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

/** The first start of a bucket that is not before a moment. */
function nextStart(size: BucketSize, moment: Date): Date {
  const start = startOf(size, moment);
  return start.getTime() === moment.getTime() ? start : endOf(size, moment);
}

/** Coarse buckets where they fit, finer ones on both sides. */
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
