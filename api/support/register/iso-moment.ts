/** A moment in ISO 8601, UTC, as the register's own records carry it. Raw rows carry text that JavaScript reads. */
export function isoMoment(moment: Date | string): string;
export function isoMoment(moment: Date | string | null | undefined): string | null;
export function isoMoment(moment: Date | string | null | undefined): string | null {
  return moment === null || moment === undefined ? null : new Date(moment).toISOString();
}
