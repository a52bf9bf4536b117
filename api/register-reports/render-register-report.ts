import { z } from 'zod';
import type { RegisterReport, RegisterReportAnnotation } from '../../db/register-reports/register-report.entity.ts';

const annotationAnswer = z
  .object({
    annotation_id: z.int(),
    text: z.string(),
    author: z.string(),
    author_type: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'RegisterReportAnnotation' });

/** A report as stored. Moments are ISO 8601 in UTC, as they were sent. */
export const registerReportAnswer = z
  .object({
    report_id: z.int(),
    revision: z.int(),
    session_id: z.string(),
    number: z.int(),
    schema_version: z.int(),
    terminal_id: z.int(),
    location_id: z.int(),
    staff_id: z.int().nullable(),
    staff_name: z.string().nullable(),
    opened_at: z.string(),
    closed_at: z.string(),
    currency_code: z.string(),
    document: z.record(z.string(), z.unknown()),
    document_hash: z.string().length(64),
    conflict: z.boolean(),
    received_at: z.string(),
    annotations: z.array(annotationAnswer),
  })
  .meta({ id: 'RegisterReport' });

const renderAnnotation = ({ annotationId, text, author, authorType, createdAt }: RegisterReportAnnotation) => ({
  ...{ annotation_id: annotationId, text, author, author_type: authorType },
  created_at: createdAt.toISOString(),
});

export const renderReport = (
  report: RegisterReport,
  annotations: readonly RegisterReportAnnotation[] = [],
): z.input<typeof registerReportAnswer> => ({
  report_id: report.reportId,
  revision: report.revision,
  session_id: report.sessionId,
  number: report.number,
  schema_version: report.schemaVersion,
  terminal_id: report.terminalId,
  location_id: report.locationId,
  staff_id: report.staffId ?? null,
  staff_name: report.staffName ?? null,
  opened_at: report.openedAt.toISOString(),
  closed_at: report.closedAt.toISOString(),
  currency_code: report.currencyCode,
  document: JSON.parse(report.document) as Record<string, unknown>,
  document_hash: report.documentHash,
  conflict: report.conflict,
  received_at: report.receivedAt.toISOString(),
  annotations: annotations.map(renderAnnotation),
});
