import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../../domain/errors.ts';
import { integer, integers } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** Longer ones are no id of a category, and no integer of the database. */
const anId = /^[1-9]\d{0,8}$/v;

/** 400 for a category that is not there. Those that are cannot be deleted before this transaction ends. */
export async function refuseUnknownCategories(em: EntityManager, fieldName: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  const found = await keep.all(em, { ids: ids.filter((id) => anId.test(id)).map(Number) });
  const known = new Set(found.map(({ entityId }) => String(entityId)));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidValue(fieldName, unknown);
}

const keep = statement({
  takes: { ids: integers },
  gives: { entityId: integer },
  text: 'select entity_id from category where entity_id = any($ids) order by entity_id for key share',
});
