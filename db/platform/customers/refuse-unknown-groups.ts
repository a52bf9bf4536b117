import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../../domain/errors.ts';
import { sql } from '../../support/sql.ts';

/**
 * 400 for a customer group that is not there. The groups cannot be deleted before the caller's transaction ends; call
 * it before other rows are locked, because a deletion locks its group first.
 */
export async function refuseUnknownGroups(tx: EntityManager, fieldName: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await lock.all(tx, { ids });
  const unknown = ids.find((id) => !found.some((group) => group.id === id));
  if (unknown !== undefined) throw invalidValue(fieldName, unknown);
}

const lock = sql('refuse-unknown-groups.lock')`
  select id from customer_group where id = any($ids) order by id for key share`;
