import { toStockDate } from '../stock-date.ts';

/** A time in a register's record, as the platform writes it (platform facts 4.3). Raw rows have text. */
export function renderMoment(moment: Date | string): string;
export function renderMoment(moment: Date | string | null | undefined): string | null;
export function renderMoment(moment: Date | string | null | undefined): string | null {
  return moment === null || moment === undefined ? null : toStockDate(moment);
}
