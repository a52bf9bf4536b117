import type { EntityManager } from '@mikro-orm/postgresql';
import { settledOtherwise } from '../../domain/refusals/tenders.ts';
import type { RequestedTender } from '../../domain/returns/resolution.ts';
import { splitInWords } from '../../domain/tenders/settle-lines.ts';
import { sql } from '../support/sql.ts';
import { readTenderRows, type TenderRow } from './return-tenders.ts';

/** A return that is over. */
interface Ended {
  returnId: number;
  refundMethod: string | null;
  status: string;
  creditMemoId: number | null;
}

/**
 * A register whose lines did not settle the return must give nothing out. Refused with: 409 `settled_otherwise`, with
 * who settled it and how.
 */
export async function refuseOtherLines(
  em: EntityManager,
  rma: Ended,
  tenders: readonly RequestedTender[],
): Promise<void> {
  const rows = await readTenderRows(em, rma.returnId);
  const left = [...rows];
  for (const tender of tenders) {
    const index = left.findIndex((row) => isSameLine(row, tender));
    if (index >= 0) left.splice(index, 1);
  }
  if (left.length === 0 && rows.length === tenders.length) return;
  const how = await settledBy.first(em, { returnId: rma.returnId });
  const split = rows.length > 0 ? splitInWords(rows) : (rma.refundMethod ?? rma.status);
  throw settledOtherwise({
    by: how?.byName ?? 'another request',
    tenders: split,
    return_id: rma.returnId,
    credit_memo_id: rma.creditMemoId,
    credit_memo_increment_id: how?.memoNumber ?? 'none',
  });
}

const isSameLine = (row: TenderRow, { lineId, method, amount, paymentId, reference }: RequestedTender): boolean =>
  row.amount === amount &&
  (lineId === undefined || row.lineId === lineId) &&
  (method === undefined || row.method === method) &&
  (paymentId === undefined || row.paymentId === paymentId) &&
  (reference === undefined || row.reference === reference);

const settledBy = sql('refuse-other-lines.settledBy')`
  select m.increment_id as memo_number, (select p.by_name from sale_return_operation p
    where p.return_id = r.return_id and p.changed_to is not null order by p.created_at desc limit 1) as by_name
  from sale_return r left join sales_creditmemo m on m.entity_id = r.credit_memo_id where r.return_id = $returnId`;
