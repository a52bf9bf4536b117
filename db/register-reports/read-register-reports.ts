import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { maxAnnotations } from '../../domain/register-reports/report-document.ts';
import { registerReportAnnotationsFull, registerReportNotFound } from '../../domain/refusals/register.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { searchesRecords } from '../support/search-records.ts';
import { transact } from '../support/transact.ts';
import { RegisterReport, RegisterReportAnnotation, RegisterReportRevision } from './register-report.entity.ts';

/** Each has a document of up to 1 MB. */
const maxRows = 50;
/** As much of documents is in one page of the feed, beyond its first report. */
const maxBytesOfPage = 4_000_000;

/** Reports by each of the fields that a register sends. Refused with: 400 more than 50 reports. */
export const searchRegisterReports = searchesRecords({
  entity: RegisterReport,
  fields: {
    report_id: { column: 'report_id', type: 'integer' },
    revision: { column: 'revision', type: 'integer' },
    session_id: { column: 'session_id', type: 'code' },
    number: { column: 'number', type: 'integer' },
    terminal_id: { column: 'terminal_id', type: 'integer' },
    location_id: { column: 'location_id', type: 'integer' },
    staff_id: { column: 'staff_id', type: 'integer', isNullable: true },
    currency_code: { column: 'currency_code', type: 'code' },
    opened_at: { column: 'opened_at', type: 'timestamp' },
    closed_at: { column: 'closed_at', type: 'timestamp' },
    received_at: { column: 'received_at', type: 'timestamp' },
    conflict: { column: 'conflict', type: 'boolean' },
  },
  order: 'report_id',
  maxRows,
});

/** Refused with: 404 unknown id. */
export async function findRegisterReport(em: EntityManager, reportId: number): Promise<RegisterReport> {
  const found = await freshReads(em).findOne(RegisterReport, { reportId });
  if (!found) throw registerReportNotFound([reportId]);
  return found;
}

/**
 * The reports after a revision, in the order in which they were committed, and the revision to continue with: that of
 * the last one, or the highest there is. At most 50 reports, and 4 MB of documents beyond the first.
 */
export async function reportsAfter(
  em: EntityManager,
  afterRevision: number,
): Promise<{ rows: RegisterReport[]; revision: number }> {
  // Read first: a report that is committed in between is not passed over.
  const highest = await freshReads(em).findOne(RegisterReportRevision, { onlyRow: true });
  const next = await freshReads(em).find(
    RegisterReport,
    { revision: { $gt: afterRevision } },
    { fields: ['revision', 'documentBytes'], orderBy: { revision: 'asc' }, limit: maxRows },
  );
  let bytes = 0;
  const page = next.filter(({ documentBytes }, at) => (bytes += documentBytes) <= maxBytesOfPage || at === 0);
  const last = page.at(-1)?.revision;
  if (last === undefined) return { rows: [], revision: highest?.revision ?? 0 };
  const rows = await freshReads(em).find(
    RegisterReport,
    { revision: { $gt: afterRevision, $lte: last } },
    { orderBy: { revision: 'asc' } },
  );
  return { rows, revision: last };
}

/** The annotations of reports, oldest first, by the report's id. */
export async function annotationsOf(
  em: EntityManager,
  reportIds: readonly number[],
): Promise<Map<number, RegisterReportAnnotation[]>> {
  const rows = await freshReads(em).find(
    RegisterReportAnnotation,
    { report: { $in: [...reportIds] } },
    { orderBy: { annotationId: 'asc' } },
  );
  return Map.groupBy(rows, ({ report }) => report.reportId);
}

export interface NewAnnotation {
  reportId: number;
  text: string;
  author: string;
  authorType: string;
}

/**
 * Adds a remark to a report. A repeat adds another one, unless it has the same `Idempotency-Key`.
 *
 * Refused with: 404 unknown report · 400 it has a hundred already.
 */
export const annotateReport = (em: EntityManager, { reportId, ...annotation }: NewAnnotation): Promise<void> =>
  transact(em, async (tx) => {
    const report = await tx.findOne(RegisterReport, { reportId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!report) throw registerReportNotFound([reportId]);
    const count = await freshReads(tx).count(RegisterReportAnnotation, { report: reportId });
    if (count >= maxAnnotations) throw registerReportAnnotationsFull([maxAnnotations]);
    tx.create(RegisterReportAnnotation, { report, ...annotation });
    await tx.flush();
  });
