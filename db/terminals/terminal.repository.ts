import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../domain/errors.ts';
import type { LicenseStatus, LicenseType } from '../../domain/terminals/license.ts';

/** A terminal with its last sign of life; moments are text. */
export interface TerminalRow {
  terminal_id: number;
  name: string;
  device_identifier: string | null;
  location_id: number | null;
  is_active: boolean;
  /** For administrators only. */
  activation_code: string | null;
  activation_used_at: string | null;
  last_seen_at: string | null;
  license_id: number | null;
  config_overrides: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/** Its license, and the view of the store whose settings hold for it. */
export interface TerminalSetupRow extends TerminalRow {
  license_key: string | null;
  license_type: LicenseType | null;
  license_status: LicenseStatus | null;
  sealed_token: string | null;
  expires_at: string | null;
  fiscal_tss_id: string | null;
  sealed_fiscal_api_key: string | null;
  last_upstream_check_at: string | null;
  last_upstream_check_succeeded: boolean | null;
  store_id: number | null;
  website_id: number | null;
}

export const terminalColumns = `
  t.terminal_id, t.name, t.device_identifier, t.location_id, t.is_active, t.activation_code, t.activation_used_at,
  h.last_seen_at, t.license_id, t.config_overrides, t.created_at, t.updated_at`;
export const terminalTables = 'pos_terminal t left join pos_terminal_heartbeat h using (terminal_id)';

/** One terminal. Refused with: 404 unknown id (spec 4.1). */
export async function findTerminal(em: EntityManager, terminalId: number): Promise<TerminalRow> {
  const [row] = await em.execute<TerminalRow[]>(
    `select ${terminalColumns} from ${terminalTables} where t.terminal_id = ?`,
    [terminalId],
  );
  if (!row) throw noSuchTerminal(terminalId);
  return row;
}

export const noSuchTerminal = (terminalId: number) => notFound('Terminal with id %1 does not exist', [terminalId]);

/** The terminal of a code that waits for its first use. */
export interface CodeRow {
  terminal_id: number;
  is_active: boolean;
}

/** The id of a terminal that may be activated. */
export function usableTerminal(terminal: CodeRow | undefined): number {
  if (!terminal) throw notFound('Activation code not valid.');
  if (!terminal.is_active) throw invalid('The terminal is disabled.');
  return terminal.terminal_id;
}

export const setupColumns = `${terminalColumns}, l.license_key, l.license_type, l.license_status, l.sealed_token,
  l.expires_at, l.fiscal_tss_id, l.sealed_fiscal_api_key, l.last_upstream_check_at, l.last_upstream_check_succeeded,
  v.store_id, v.website_id`;
export const setupTables = `${terminalTables}
  left join pos_license l using (license_id)
  left join pos_location p using (location_id)
  left join lateral pos_view_of_place(p.website_id, p.store_view_id) v on true`;

/**
 * A terminal with what hangs on it, in one query. Its store view is the location's own, else the default one of the
 * location's website, else the shop's default.
 *
 * Refused with: 404 unknown id.
 */
export async function findTerminalSetup(em: EntityManager, terminalId: number): Promise<TerminalSetupRow> {
  const [row] = await em.execute<TerminalSetupRow[]>(
    `select ${setupColumns} from ${setupTables} where t.terminal_id = ?`,
    [terminalId],
  );
  if (!row) throw noSuchTerminal(terminalId);
  return row;
}
