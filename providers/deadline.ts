/** The time until which this process may send something and wait for an answer. */
export interface Deadline {
  /** Zero or less: it has passed. */
  remainingMs(): number;
}

/**
 * A deadline after so many milliseconds, by this process's own clocks.
 *
 * No other clock is used: the database's may differ by a minute, and a frozen process would then send late. Of the
 * process's two clocks, the one that measured more time counts. The monotonic one cannot be set back; the other
 * continues while the machine sleeps.
 */
export function deadlineIn(ms: number): Deadline {
  const steadyStart = performance.now();
  const wallStart = Date.now();
  return { remainingMs: () => ms - Math.max(performance.now() - steadyStart, Date.now() - wallStart) };
}
