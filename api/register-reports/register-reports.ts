import { z } from 'zod';
import {
  annotateReport,
  annotationsOf,
  findRegisterReport,
  reportsAfter,
  searchRegisterReports,
} from '../../db/register-reports/read-register-reports.ts';
import { saveRegisterReport } from '../../db/register-reports/save-register-report.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { isSection } from '../../domain/receipts/receipt-payments.ts';
import { hasUnsafeNumber } from '../../domain/register-reports/report-document.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import {
  registerReportAnnotationsFull,
  registerReportConflict,
  registerReportEndsFirst,
  registerReportNotFound,
  registerReportNumberUnsafe,
} from '../../domain/refusals/register.ts';
import { markReplayed } from '../http/within.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { everything, renderList, searchCriteria, tooManyRows } from '../wire/criteria.ts';
import { cardNumber } from '../wire/outcomes.ts';
import { currencyCode, growing, idParam, isoDate, listAnswer, recordId, reference, text } from '../wire/schemas.ts';
import { registerReportAnswer, renderReport } from './render-register-report.ts';

const maxAnnotation = 2_000;

/** A report that a register sends (`docs/registers/register-reports.md`). It grows by version: unknown keys are ignored. */
const reportPayload = growing({
  sessionId: reference(64)
    .refine((id) => id !== '')
    .transform((id) => id.toLowerCase()),
  number: recordId.refine((number) => number > 0),
  schemaVersion: recordId.refine((version) => version === 1),
  terminalId: recordId,
  locationId: recordId,
  staffId: recordId.optional(),
  staffName: text(255).optional(),
  openedAt: isoDate,
  closedAt: isoDate,
  currencyCode: currencyCode.transform((code) => code.toUpperCase()),
  document: z.custom<object>(isSection).meta({ type: 'object', additionalProperties: {} }),
}).meta({ id: 'RegisterReportUpload' });

/** Stores the report of a closed session. */
const submitReport = route({
  method: 'POST',
  path: '/V1/pos/register-reports',
  acl: 'Vendor_Pos::register_reports_submit',
  summary: 'Send the report of a register session',
  name: 'submitRegisterReport',
  description: `Send it once a session is closed, also after the register was offline. \`session_id\` (any case) and
    \`number\` are its identity. A repeat with equal content answers the stored report. Other content is 409; it is
    stored as well, and both reports have \`conflict\`. Session, terminal, location and staff need not be known. The
    document is yours; the guide shows how to write its tenders, and no difference is a reason to refuse it.
    \`document_hash\` is the SHA-256 of the document’s canonical JSON (RFC 8785). Every role and integration that may send
    receipts may send reports.`,
  outcomes: [
    registerReportConflict,
    cardNumber,
    registerReportNumberUnsafe,
    registerReportEndsFirst,
    {
      status: 413,
      message: 'The request body must not be larger than %1 bytes.',
      when: 'It is larger than 1 MB.',
      then: 'Leave single sales out of the document: receipts have them.',
    },
  ],
  body: z.object({ report: reportPayload }),
  response: registerReportAnswer,
  isPrivate: true,
  // A report that contradicts another one is refused, and stored all the same.
  commits: 'several',

  async handle({ em, body: { report }, setHeader }) {
    const { document, staffId, staffName, ...fields } = report;
    if (fields.closedAt < fields.openedAt) throw registerReportEndsFirst();
    if (hasUnsafeNumber(document)) throw registerReportNumberUnsafe();
    refuseCardData(JSON.stringify(document));
    refuseCardData(staffName);
    const sent = { ...fields, document, staffId: staffId ?? null, staffName: staffName ?? null };
    const { reportId, isReplay, contradicts } = await saveRegisterReport(em, sent);
    if (contradicts !== undefined || reportId === undefined)
      throw registerReportConflict({
        ...{ session_id: fields.sessionId, number: fields.number },
        ...{ report_id: contradicts ?? null, conflicting_report_id: reportId ?? null },
      });
    if (isReplay) markReplayed({ setHeader });
    return wholeReport(em, reportId);
  },
});

async function wholeReport(em: Parameters<typeof findRegisterReport>[0], reportId: number) {
  const report = await findRegisterReport(em, reportId);
  return renderReport(report, (await annotationsOf(em, [reportId])).get(reportId));
}

/** Reports by search criteria, or all after a revision. */
const listReports = route({
  method: 'GET',
  path: '/V1/pos/register-reports',
  acl: 'Vendor_Pos::register_reports',
  summary: 'List the reports of register sessions',
  name: 'listRegisterReports',
  description: `Filter by \`session_id\`, \`number\`, \`terminal_id\`, \`location_id\`, \`staff_id\`, \`currency_code\`,
    \`opened_at\`, \`closed_at\`, \`received_at\`, \`conflict\`, \`revision\` and \`report_id\`. An
    answer has at most 50 reports: read more in pages. With \`afterRevision\` it is \`items\` and \`revision\` instead:
    the reports stored after that revision, in the order in which they were committed. Send \`revision\` as
    \`afterRevision\` next time, until \`items\` is empty; no report is missed. A revision never changes: read a report
    again where another of its session and number has \`conflict\`.`,
  outcomes: [attributeNameNotValid, tooManyRows],
  query: z.object({ searchCriteria: searchCriteria.default(everything), afterRevision: recordId.optional() }),
  response: z.union([
    listAnswer(registerReportAnswer),
    z.object({ items: z.array(registerReportAnswer), revision: z.int() }).meta({ id: 'RegisterReportFeed' }),
  ]),
  isPrivate: true,

  async handle({ em, query: { afterRevision, searchCriteria: criteria } }) {
    const found =
      afterRevision === undefined ? await searchRegisterReports(em, criteria) : await reportsAfter(em, afterRevision);
    const remarks = await annotationsOf(
      em,
      found.rows.map(({ reportId }) => reportId),
    );
    const items = found.rows.map((row) => renderReport(row, remarks.get(row.reportId)));
    return 'revision' in found ? { items, revision: found.revision } : renderList(criteria, items, found.totalCount);
  },
});

const params = z.object({ reportId: idParam });

const getReport = route({
  method: 'GET',
  path: '/V1/pos/register-reports/:reportId',
  acl: 'Vendor_Pos::register_reports',
  summary: 'One report of a register session',
  name: 'getRegisterReport',
  description: 'The report as it was received, with its annotations, oldest first.',
  outcomes: [registerReportNotFound],
  params,
  response: registerReportAnswer,
  isPrivate: true,

  handle: ({ em, params: { reportId } }) => wholeReport(em, reportId),
});

/** Adds a remark. */
const annotate = route({
  method: 'POST',
  path: '/V1/pos/register-reports/:reportId/annotations',
  acl: 'Vendor_Pos::register_reports_manage',
  summary: 'Annotate a report',
  name: 'annotateRegisterReport',
  description: `Adds a remark with the caller’s name and the time, such as why a count differs or which of two reports
    counts. Remarks are never changed or removed, and the report itself stays as it is. A repeat adds another remark,
    unless it has the same \`Idempotency-Key\`. The answer is the report.`,
  outcomes: [registerReportNotFound, cardNumber, registerReportAnnotationsFull],
  params,
  body: z.object({ annotation: growing({ text: text(maxAnnotation).refine((remark) => remark.trim() !== '') }) }),
  response: registerReportAnswer,
  isPrivate: true,

  async handle({ em, params: { reportId }, body: { annotation }, caller }) {
    refuseCardData(annotation.text);
    await annotateReport(em, {
      ...{ reportId, text: annotation.text.trim() },
      ...{ author: caller.name, authorType: caller.userType },
    });
    return wholeReport(em, reportId);
  },
});

export const registerReportRoutes: readonly AnyRoute[] = [submitReport, listReports, getReport, annotate];
