/** Until when this process may still send something, and wait for an answer. */
export interface Deadline {
  /** Zero or less: it is over. */
  remainingMs(): number;
}

/**
 * A deadline so many milliseconds from now, by this process's own clocks.
 *
 * No other clock has a part in it: that of the database may be a minute apart, and a frozen process would then send
 * late. Of its own two clocks the one counts that says more has passed: the steady one cannot be set back, the other goes
 * on while the machine sleeps.
 */
export function deadlineIn(ms: number): Deadline {
  const steadyStart = performance.now();
  const wallStart = Date.now();
  return { remainingMs: () => ms - Math.max(performance.now() - steadyStart, Date.now() - wallStart) };
}
