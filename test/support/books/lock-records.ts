import type { EntityManager } from '@mikro-orm/postgresql';
import { conditionOf, type Which } from './which.ts';

/** Holds the records that have these cells, to the end of the transaction of `em`. */
export async function lockRecords(em: EntityManager, table: string, which: Which): Promise<void> {
  const { only, values } = conditionOf(which);
  await em.execute(`select from ${table} where ${only} for update`, values);
}
