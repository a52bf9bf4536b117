import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * The report of a register session as its register closed it, with its document. It is never changed, but for the mark
 * of a conflict: a trigger ensures it.
 *
 * One per session, number and content. Terminal, location, staff and session need not exist here.
 */
export const RegisterReport = defineEntity({
  name: 'RegisterReport',
  tableName: 'pos_register_report',
  properties: {
    reportId: p.bigint('number').primary().autoincrement(),
    /** Rises with every stored report, in the order of the commits. */
    revision: p.bigint('number').unique(),
    /** The UUID of the register session, in lower case. */
    sessionId: p.string().length(64),
    /** Counted by the register. */
    number: p.bigint('number'),
    schemaVersion: p.integer(),
    terminalId: p.bigint('number'),
    locationId: p.bigint('number'),
    staffId: p.bigint('number').nullable(),
    staffName: p.string().length(255).nullable(),
    openedAt: p.datetime(6),
    closedAt: p.datetime(6),
    currencyCode: p.string().length(3),
    /** Canonical JSON (RFC 8785), as text: its digest must never change. */
    document: p.text(),
    /** SHA-256 of the document in hexadecimal digits. */
    documentHash: p.string().length(64),
    /** SHA-256 of the whole report, by which a repeat is known. */
    contentHash: p.string().length(64).hidden(),
    documentBytes: p.integer(),
    /** Another report of the same register session and number has other content. */
    conflict: p.boolean().default(false),
    receivedAt: p.datetime(6).defaultRaw('now()'),
    annotations: () => p.oneToMany(RegisterReportAnnotation).mappedBy('report'),
  },
  uniques: [{ name: 'pos_register_report_once', properties: ['sessionId', 'number', 'contentHash'] }],
  indexes: [
    { name: 'pos_register_report_of_terminal', properties: ['terminalId', 'reportId'] },
    { name: 'pos_register_report_of_location', properties: ['locationId', 'reportId'] },
    { name: 'pos_register_report_closed_at', properties: ['closedAt'] },
    { name: 'pos_register_report_conflict', properties: ['reportId'], where: 'conflict' },
  ],
  checks: [{ name: 'pos_register_report_ends_after_begin', expression: 'closed_at >= opened_at' }],
});
export type RegisterReport = InferEntity<typeof RegisterReport>;

/** A remark of a person on a report. Remarks are added, and never changed. */
export const RegisterReportAnnotation = defineEntity({
  name: 'RegisterReportAnnotation',
  tableName: 'pos_register_report_annotation',
  properties: {
    annotationId: p.bigint('number').primary().autoincrement(),
    report: () => p.manyToOne(RegisterReport).fieldName('report_id').index().deleteRule('restrict'),
    text: p.text(),
    /** The caller's name and kind, as in the audit trail. */
    author: p.text(),
    authorType: p.string().length(16),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});
export type RegisterReportAnnotation = InferEntity<typeof RegisterReportAnnotation>;

/** The highest revision. Its row is locked until the report is committed, so that revisions appear in their order. */
export const RegisterReportRevision = defineEntity({
  name: 'RegisterReportRevision',
  tableName: 'pos_register_report_revision',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    revision: p.bigint('number'),
  },
  checks: [{ name: 'pos_register_report_revision_only_row', expression: 'only_row' }],
});

export const registerReportEntities = [RegisterReport, RegisterReportAnnotation, RegisterReportRevision] as const;
