import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { jcsOf } from '../../domain/canonical-json.ts';
import { maxReportsOfNumber } from '../../domain/register-reports/report-document.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

/** A report as a register sent it, checked. */
export interface SentReport {
  /** In lower case. */
  sessionId: string;
  number: number;
  schemaVersion: number;
  terminalId: number;
  locationId: number;
  staffId: number | null;
  staffName: string | null;
  openedAt: Date;
  closedAt: Date;
  /** In upper case. */
  currencyCode: string;
  document: object;
}

export interface SavedReport {
  /** Undefined: it contradicts too many others and was not stored. */
  reportId: number | undefined;
  isReplay: boolean;
  /** The first report of the session and number, where this one contradicts it. */
  contradicts: number | undefined;
}

const ofNumber = sql('save-register-report.ofNumber')`
  select report_id, content_hash from pos_register_report
  where session_id = $sessionId and number = $number order by report_id`;

const insert = sql('save-register-report.insert')`
  with next as (
    insert into pos_register_report_revision as r (only_row, revision) values (true, 1)
    on conflict (only_row) do update set revision = r.revision + 1 returning revision
  )
  insert into pos_register_report (revision, session_id, number, schema_version, terminal_id, location_id, staff_id,
    staff_name, opened_at, closed_at, currency_code, document, document_hash, content_hash, document_bytes, conflict,
    received_at)
  select next.revision, $sessionId, $number, $schemaVersion, $terminalId, $locationId, $staffId?, $staffName?,
    $openedAt, $closedAt, $currencyCode, $document, $documentHash, $contentHash, $documentBytes, $conflict,
    clock_timestamp()
  from next returning report_id`;

const markConflict = sql('save-register-report.markConflict')`
  update pos_register_report set conflict = true
  where session_id = $sessionId and number = $number and not conflict`;

/** A report's key for comparison: every field of it, and its document. */
const contentOf = ({ openedAt, closedAt, ...report }: SentReport): string =>
  jcsOf({ ...report, openedAt: openedAt.toISOString(), closedAt: closedAt.toISOString() });

/**
 * Stores the report of a register session. Its identity is the session with the number. A repeat with equal content
 * stores nothing. Other content is stored as well, and all reports of this number are marked, up to a hundred.
 *
 * Equal reports that arrive at the same moment become one row, different ones become two that contradict each other: a
 * lock orders them. The revision is given last, and its row stays locked until the commit.
 */
export function saveRegisterReport(em: EntityManager, report: SentReport): Promise<SavedReport> {
  const { sessionId, number } = report;
  const document = jcsOf(report.document);
  const contentHash = hash('sha256', contentOf(report));
  return transact(em, async (tx) => {
    await lockAdvisory(tx, `register report ${sessionId} ${number}`);
    const others = await ofNumber.all(tx, { sessionId, number });
    const [first] = others;
    const known = others.find((other) => other.contentHash === contentHash);
    const contradicts = first && first.contentHash !== contentHash ? first.reportId : undefined;
    if (known) return { reportId: known.reportId, isReplay: true, contradicts };
    if (others.length >= maxReportsOfNumber) return { reportId: undefined, isReplay: false, contradicts };
    if (first) await markConflict.run(tx, { sessionId, number });
    const stored = await insert.first(tx, {
      ...report,
      ...{ document, documentHash: hash('sha256', document), contentHash, conflict: first !== undefined },
      documentBytes: Buffer.byteLength(document),
    });
    if (!stored) throw new Error('a register report was not stored');
    return { reportId: stored.reportId, isReplay: false, contradicts };
  });
}
