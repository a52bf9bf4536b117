import type { EntityManager } from '@mikro-orm/postgresql';
import { activationCodeUnknown, terminalIsDisabled, terminalNotFound } from '../../domain/refusals/register.ts';
import type { LicenseStatus, LicenseType } from '../../domain/terminals.ts';
import { flag, integer, momentText, orNull, text, type Kind, type ValuesOf } from '../support/entity-columns.ts';
import { asListed } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { Terminal } from './terminal.entity.ts';

/** A terminal with the time of its last heartbeat; times are text. */
export type TerminalRow = ValuesOf<typeof terminalPosted>;

/** Its license, and the store view whose settings apply. */
export type TerminalSetupRow = RowFrom<typeof setupOf>;

const terminalColumns = `
  t.terminal_id, t.name, t.device_identifier, t.location_id, t.is_active, t.activation_code, t.activation_used_at,
  h.last_seen_at, t.license_id, t.config_overrides, t.created_at, t.updated_at`;
const terminalTables = 'pos_terminal t left join pos_terminal_heartbeat h using (terminal_id)';

const terminalPosted = {
  // Only administrators see the activation code.
  ...asListed(Terminal, 'terminalId', 'name', 'deviceIdentifier', 'locationId', 'isActive', 'activationCode'),
  ...asListed(Terminal, 'activationUsedAt', 'licenseId', 'configOverrides', 'createdAt', 'updatedAt'),
  last_seen_at: orNull(momentText),
};

export const noSuchTerminal = (terminalId: number) => terminalNotFound([terminalId]);

/** The id of a terminal that may be activated: its code is not used yet. */
export function usableTerminal(terminal: { terminalId: number; isActive: boolean } | undefined): number {
  if (!terminal) throw activationCodeUnknown();
  if (!terminal.isActive) throw terminalIsDisabled();
  return terminal.terminalId;
}

export const setupColumns = `${terminalColumns}, l.license_key, l.license_type, l.license_status, l.sealed_token,
  l.expires_at, l.fiscal_tss_id, l.sealed_fiscal_api_key, l.last_upstream_check_at, l.last_upstream_check_succeeded,
  v.store_id, v.website_id`;
export const setupTables = `${terminalTables}
  left join pos_license l using (license_id)
  left join pos_location p using (location_id)
  left join lateral pos_view_of_place(p.website_id, p.store_view_id) v on true`;

export const setupPosted = {
  ...terminalPosted,
  license_key: orNull(text),
  license_type: orNull(text as Kind<LicenseType>),
  license_status: orNull(text as Kind<LicenseStatus>),
  sealed_token: orNull(text),
  expires_at: orNull(momentText),
  fiscal_tss_id: orNull(text),
  sealed_fiscal_api_key: orNull(text),
  last_upstream_check_at: orNull(momentText),
  last_upstream_check_succeeded: orNull(flag),
  store_id: orNull(integer),
  website_id: orNull(integer),
};

/** All that the `config_hash` of a terminal's heartbeat is made of: for terminals `t` at locations `p`. */
export const versionsOfTerminal = (t: string, p: string) => `
  (select concat_ws('.', pos_config_version_of('global', 0), w.website_id, pos_config_version_of('website',
    w.website_id),
      ${t}.location_id, pos_config_version_of('location', ${t}.location_id),
      pos_config_version_of('terminal', ${t}.terminal_id))
    from (select coalesce(nullif(${p}.website_id, 0), (
        select s.website_id from store_view s where s.store_id = ${p}.store_view_id and s.store_id > 0 and s.is_active),
      (select d.website_id from website d where d.is_default order by 1 limit 1)) as website_id) w)`;

const setupOf = sql('terminal.repository.setupOf', { gives: setupPosted })`
  select ${setupColumns} from ${setupTables} where t.terminal_id = $terminalId`;

/**
 * A terminal with all its related data, in one query. Its store view is the location's own, else the default one of
 * the location's website, else the shop's default.
 *
 * Refused with: 404 unknown id.
 */
export async function findTerminalSetup(em: EntityManager, terminalId: number): Promise<TerminalSetupRow> {
  const row = await setupOf.first(em, { terminalId });
  if (!row) throw noSuchTerminal(terminalId);
  return row;
}
