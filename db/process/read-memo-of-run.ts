import type { EntityManager } from '@mikro-orm/postgresql';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { integer, orNull } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';

/** The fields of the memo that the end of a collapsed return needs. */
export type MemoOfRun = RowFrom<typeof selectMemoOfRun>;

/** The memo that was booked in this transaction. Throws a fault when there is none. */
export async function readMemoOfRun(em: EntityManager, creditMemoId: number | null): Promise<MemoOfRun> {
  const memo = await selectMemoOfRun.first(em, { creditMemoId });
  if (!memo) throw new Error(`no credit memo ${creditMemoId}`);
  return memo;
}

const selectMemoOfRun = statement({
  takes: { creditMemoId: orNull(integer) },
  gives: of(CreditMemo, 'entityId', 'incrementId', 'baseGrandTotal', 'grandTotal', 'createdAt'),
  text: `
    select entity_id, increment_id, base_grand_total, grand_total, created_at
    from sales_creditmemo where entity_id = $creditMemoId`,
});
