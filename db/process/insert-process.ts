import type { EntityManager } from '@mikro-orm/postgresql';
import type { NewRowOf } from '../support/entity-columns.ts';
import { integer, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

export interface ProcessToInsert {
  run: NewRowOf<typeof ReturnProcess>;
  /** Empty for the collapsed return of an existing return, which has its own lines. */
  items: readonly Omit<NewRowOf<typeof ReturnProcessItem>, 'process'>[];
}

/**
 * Writes an open collapsed return with its goods, in the caller's transaction, under the order lock. Returns its id. A
 * repeat writes another one.
 */
export async function insertProcess(em: EntityManager, { run, items }: ProcessToInsert): Promise<number> {
  const drawn = await draw.first(em);
  if (!drawn) throw new Error('no id for a run');
  const { processId } = drawn;
  const now = shopNow();
  await insertRows(em, [
    into(ReturnProcess, [{ ...run, processId, createdAt: now, updatedAt: now }]),
    into(
      ReturnProcessItem,
      items.map((item) => ({ ...item, process: processId })),
    ),
  ]);
  return processId;
}

const draw = statement({
  takes: {},
  gives: { processId: surely(integer) },
  text: `select nextval('return_process_process_id_seq')::int as process_id`,
});
