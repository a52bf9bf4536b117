import type { EntityManager } from '@mikro-orm/postgresql';
import type { LicenseFacts } from '../../domain/terminals/license.ts';
import { integer, text } from '../support/kinds.ts';
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

/**
 * The license with a key of the license service. A new one is free and permits nothing until the service says more
 * (our choice). Safe to repeat: a key is one license.
 *
 * @returns the license's id
 */
export async function licenseOfKey(em: EntityManager, licenseKey: string): Promise<number> {
  await open.run(em, { licenseKey });
  const license = await find.first(em, { licenseKey });
  if (!license) throw new Error('a license was saved and is not there');
  return license.licenseId;
}

const open = statement({
  takes: { licenseKey: text },
  text: `
    insert into pos_license (license_key, license_type) values ($licenseKey, 'free') on conflict (license_key) do nothing`,
});

const find = statement({
  takes: { licenseKey: text },
  gives: of(License, 'licenseId'),
  text: 'select license_id from pos_license where license_key = $licenseKey',
});

/**
 * Notes that the license service is asked about a license now, if it is due: a day after an answer, an hour after none.
 * Of any number at once one is told to ask. Whoever dies over it leaves it to the next day.
 *
 * @returns whether the caller is to ask
 */
export const claimLicenseCheck = async (em: EntityManager, licenseId: number): Promise<boolean> =>
  (await claim.run(em, { licenseId })) === 1;

const claim = statement({
  takes: { licenseId: integer },
  text: `
    update pos_license set last_upstream_check_at = clock_timestamp()
    where license_id = $licenseId and license_key is not null
      and coalesce(last_upstream_check_at, created_at) < now()
        - case when last_upstream_check_succeeded then interval '1 day' else interval '1 hour' end`,
});
