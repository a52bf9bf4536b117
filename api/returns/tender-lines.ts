import type { z } from 'zod';
import { readTenders } from '../../db/tenders/read-tenders.ts';
import { readTenderRows, type TenderRow } from '../../db/tenders/return-tenders.ts';
import { zero } from '../../domain/money.ts';
import type { RouteContext } from '../http/route.ts';
import { renderTenderLine, type tenderLine } from '../wire/tender-lines.ts';

interface OfReturn {
  returnId: number;
  orderId: number;
  hasTenders: boolean;
}

/**
 * The tender lines of a return that is settled by several tenders, with what each tender gave back over all returns of
 * the order; nothing for any other return.
 */
export async function tenderLinesOf(
  { em }: Pick<RouteContext, 'em'>,
  { returnId, orderId, hasTenders }: OfReturn,
): Promise<{ tender_lines?: z.input<typeof tenderLine>[] }> {
  if (!hasTenders) return {};
  const rows = await readTenderRows(em, returnId);
  if (rows.length === 0) return {};
  const gateways = new Set(rows.flatMap((row) => (row.method === 'original_payment' ? row.paymentMethod : [])));
  const tenders = await readTenders(em, { orderId, canRefundThrough: (method) => gateways.has(method) });
  return {
    tender_lines: rows.map((row) =>
      render(
        row,
        tenders.find(({ lineId }) => lineId === row.lineId),
      ),
    ),
  };
}

const render = (row: TenderRow, tender: Awaited<ReturnType<typeof readTenders>>[number] | undefined) =>
  renderTenderLine({
    ...row,
    paid: { order: row.paid, base: row.basePaid },
    refunded: tender?.refunded ?? { order: row.amount, base: row.baseAmount },
    available: tender?.available ?? { order: zero, base: zero },
    proposed: { order: row.amount, base: row.baseAmount },
  });
