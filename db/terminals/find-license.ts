import type { EntityManager } from '@mikro-orm/postgresql';
import type { LicenseFacts } from '../../domain/terminals/license.ts';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { License } from './license.entity.ts';

/** The license of a terminal; undefined without one, and for an unknown terminal. */
export const findLicense = (em: EntityManager, terminalId: number): Promise<LicenseFacts | undefined> =>
  read.first(em, { terminalId });

const license = of(License, 'status', 'type', 'expiresAt');

const read = statement({
  takes: { terminalId: integer },
  gives: license,
  text: `
    select l.license_status as status, l.license_type as type, l.expires_at
    from pos_terminal t join pos_license l using (license_id) where t.terminal_id = $terminalId`,
});
