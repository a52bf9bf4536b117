import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../../domain/errors.ts';
import { sql } from '../../support/sql.ts';

/** 400 for a website that is not there. 0, the administration's own, sells nothing and counts as unknown. */
export async function refuseUnknownWebsites(em: EntityManager, fieldName: string, ids: readonly number[]) {
  const found = await selectUnknownWebsites.all(em, { ids });
  const unknown = ids.find((id) => !found.some(({ websiteId }) => websiteId === id));
  if (unknown !== undefined) throw invalidValue(fieldName, unknown);
}

const selectUnknownWebsites = sql('refuse-unknown-websites.selectUnknownWebsites')`
  select website_id from website where website_id > 0 and website_id = any($ids)`;
