import { z } from 'zod';
import type { TerminalRow } from '../../../db/terminals/terminal.repository.ts';
import { toStockDate } from '../criteria.ts';
import {
  fieldsOf,
  flag,
  json,
  keptAs,
  moment,
  momentOrNull,
  onlySent,
  orNull,
  reference,
  setByServer,
  text,
} from '../fields.ts';
import { flag as sentFlag, text as sentText } from '../schemas.ts';

/** A time in a register's record, as the platform writes it (platform facts 4.3). Raw rows have text. */
export function renderMoment(moment: Date | string): string;
export function renderMoment(moment: Date | string | null | undefined): string | null;
export function renderMoment(moment: Date | string | null | undefined): string | null {
  return moment === null || moment === undefined ? null : toStockDate(moment);
}

const overrides = z.record(z.string(), z.unknown());

/**
 * The fields of a terminal (spec 2.4). `license_key` links the license of the license service (our choice): it is never
 * answered here, registers get it with their license.
 */
export const terminalFields = fieldsOf(
  {
    terminal_id: setByServer(z.int()),
    name: text(),
    device_identifier: keptAs(orNull(text(1_000)), (sent) => (sent === '' ? null : sent)),
    location_id: orNull(reference()),
    is_active: flag(),
    activation_code: setByServer(z.string().nullable().optional()),
    activation_used_at: momentOrNull(),
    last_seen_at: momentOrNull(),
    license_id: orNull(reference()),
    license_key: onlySent(sentText(1_000)),
    config_overrides: json(overrides),
    regenerate_activation_code: onlySent(sentFlag),
    created_at: moment(),
    updated_at: moment(),
  },
  'Terminal',
);

export const terminalAnswer = terminalFields.answer;
export type TerminalAnswer = z.input<typeof terminalAnswer>;

/** The activation code is shown to administrators only. */
export function renderTerminal(
  row: TerminalRow,
  { showsCode }: { showsCode: boolean } = { showsCode: false },
): TerminalAnswer {
  const { activation_code: code, ...terminal } = terminalFields.render(row);
  return showsCode ? { ...terminal, activation_code: code } : terminal;
}
