import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** The fields of the memo that the end of a collapsed return needs. */
export type MemoOfRun = RowFrom<typeof selectMemoOfRun>;

/** The memo that was booked in this transaction. Throws a fault when there is none. */
export async function readMemoOfRun(em: EntityManager, creditMemoId: number | null): Promise<MemoOfRun> {
  const memo = await selectMemoOfRun.first(em, { creditMemoId });
  if (!memo) throw new Error(`no credit memo ${creditMemoId}`);
  return memo;
}

const selectMemoOfRun = sql('read-memo-of-run.selectMemoOfRun')`
  select entity_id, increment_id, base_grand_total, grand_total, created_at
  from sales_creditmemo where entity_id = $creditMemoId?`;
