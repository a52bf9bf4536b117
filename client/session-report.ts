import type { Step } from './jobs.ts';
import { step } from './sale.ts';
import type { Place } from './selling.ts';
import type { Sent } from './shapes.ts';

type Upload = Sent<'RegisterReportUpload'>;

/** The report of a session; terminal, location, staff and currency are those of the place where it leaves them out. */
export type SessionReport = Pick<Upload, 'session_id' | 'number' | 'opened_at' | 'closed_at' | 'document'> &
  Partial<Upload>;

/** The request that sends a report, and the name of its queue: reports of one session and number are sent in turn. */
export function reportStep(place: Place, report: SessionReport): { object: string; step: Step } {
  const object = `report-${report.session_id}-${report.number}`;
  const body = {
    report: {
      ...{ schema_version: 1, terminal_id: place.terminalId, location_id: place.locationId },
      ...{ staff_id: place.staffId, staff_name: place.staffName, currency_code: place.money.currency },
      ...report,
    },
  };
  const keeps = { reportId: 'report_id', documentHash: 'document_hash' };
  const path = '/V1/pos/register-reports?fields=report_id,document_hash';
  // A key for each call: under one key other content would be refused, and not be stored as a conflict.
  return { object, step: step(`${object}-${crypto.randomUUID()}`, 'register-report', path, { body, keeps }) };
}
