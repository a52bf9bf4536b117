import { emptyRecord } from '../../domain/empty-record.ts';
import { toStockDate } from './stock-date.ts';

/** A row that the database turned into JSON: numbers are numbers, times are ISO text. */
type JsonRow = Readonly<Record<string, unknown>>;

/**
 * The named columns of a row as the platform answers them (platform facts 4.3): null is left out, flags are 0 and 1,
 * moments (`…_at`) are `YYYY-MM-DD HH:MM:SS` in UTC.
 *
 * @param own keys whose values are not the row's, as they are answered
 */
export function renderRow(
  row: JsonRow,
  columns: readonly string[],
  own: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const answer = emptyRecord(columns.length);
  for (const column of columns) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    if (typeof value === 'boolean') answer[column] = value ? 1 : 0;
    else answer[column] = typeof value === 'string' && column.endsWith('_at') ? renderMoment(value) : value;
  }
  for (const name of Object.keys(own)) answer[name] = own[name];
  return answer;
}

/** `2026-11-21T09:30:00.123+00:00` → `2026-11-21 09:30:00`, without a Date where the zone is UTC. */
const renderMoment = (iso: string) =>
  iso.endsWith('+00:00') ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : toStockDate(iso);
