import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../../domain/errors.ts';
import { integer, integers, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** Refused with 400: a label for a store view that does not exist. 0 is above all of them. */
export async function refuseUnknownViews(em: EntityManager, storeIds: readonly number[]): Promise<void> {
  const asked = [...new Set(storeIds)].filter((id) => id !== 0);
  if (asked.length === 0) return;
  const unknown = await unknownAmong.first(em, { asked });
  if (unknown) throw invalidValue('store_id', unknown.storeId);
}

const unknownAmong = statement({
  takes: { asked: integers },
  gives: { storeId: surely(integer) },
  text: `
    select id as store_id from unnest($asked::integer[]) as id
    where not exists (select from store_view v where v.store_id = id) order by 1 limit 1`,
});
