import { z } from 'zod';
import type { TerminalRow } from '../../../db/terminals/terminal.repository.ts';
import { toStockDate } from '../criteria.ts';

/** A time in a register's record, as the platform writes it (platform facts 4.3). Raw rows have text. */
export function renderMoment(moment: Date | string): string;
export function renderMoment(moment: Date | string | null | undefined): string | null;
export function renderMoment(moment: Date | string | null | undefined): string | null {
  return moment === null || moment === undefined ? null : toStockDate(moment);
}

/** A terminal (spec 2.4). The activation code is shown to administrators only. */
export const terminalAnswer = z
  .object({
    terminal_id: z.int(),
    name: z.string(),
    device_identifier: z.string().nullable(),
    location_id: z.int().nullable(),
    is_active: z.boolean(),
    activation_code: z.string().nullable().optional(),
    activation_used_at: z.string().nullable(),
    last_seen_at: z.string().nullable(),
    license_id: z.int().nullable(),
    config_overrides: z.record(z.string(), z.unknown()),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Terminal' });

export type TerminalAnswer = z.input<typeof terminalAnswer>;

export const renderTerminal = (
  row: TerminalRow,
  { showsCode }: { showsCode: boolean } = { showsCode: false },
): TerminalAnswer => ({
  terminal_id: row.terminal_id,
  name: row.name,
  device_identifier: row.device_identifier,
  location_id: row.location_id,
  is_active: row.is_active,
  ...(showsCode ? { activation_code: row.activation_code } : {}),
  activation_used_at: renderMoment(row.activation_used_at),
  last_seen_at: renderMoment(row.last_seen_at),
  license_id: row.license_id,
  config_overrides: row.config_overrides,
  created_at: renderMoment(row.created_at),
  updated_at: renderMoment(row.updated_at),
});
