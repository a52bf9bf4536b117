/** How long a wait follows how many wrong passcodes (spec 8, 3.5). Pure: the database counts and keeps the time. */

export const lockoutLadder = [
  { failures: 3, cooldownSeconds: 15 },
  { failures: 5, cooldownSeconds: 60 },
  { failures: 8, cooldownSeconds: 300 },
  { failures: 12, cooldownSeconds: 1_800 },
] as const;

/** Counted from the first failure (our choice); after that the count starts again, even during a cooldown. */
export const lockoutResetSeconds = 86_400;

/** The wait after so many failures: that of the highest step reached; 0 below the first. */
export const cooldownSeconds = (failures: number): number =>
  lockoutLadder.findLast((rung) => failures >= rung.failures)?.cooldownSeconds ?? 0;
