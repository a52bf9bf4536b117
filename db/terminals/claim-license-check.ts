import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

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
