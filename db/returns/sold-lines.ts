import type { EntityManager } from '@mikro-orm/postgresql';
import { type Quantity, none, parseQuantity } from '../../domain/money/quantity.ts';
import type { SoldLine } from '../../domain/returns/eligibility.ts';

interface Row {
  item_id: number;
  name: string | null;
  qty_invoiced: string;
  qty_refunded: string;
  qty_in_returns: string;
}

/**
 * What was sold on an order and what of it already went or is going back: one statement.
 *
 * Returns that count are those not rejected, denied, or ended without a memo. Of those with a memo the lines it gave back
 * are in `qtyRefunded`; lines that were resolved without money still count.
 */
export async function soldLines(em: EntityManager, orderId: number): Promise<SoldLine[]> {
  const rows = await em.execute<Row[]>(
    `select i.item_id, i.name, i.qty_invoiced, i.qty_refunded, coalesce(sum(ri.qty_requested) filter (where
       (r.credit_memo_id is null and r.status not in ('rejected', 'denied', 'closed'))
       or (r.credit_memo_id is not null and ri.resolution_mode is not null
         and (ri.refund_method is null or ri.resolution_mode in ('repair', 'dispose')))), 0) as qty_in_returns
     from sales_order_item i
     left join sale_return_item ri on ri.order_item_id = i.item_id
     left join sale_return r on r.return_id = ri.return_id
     where i.order_id = ? and i.parent_item_id is null
     group by i.item_id order by i.item_id`,
    [orderId],
  );
  return rows.map((row) => ({
    orderItemId: row.item_id,
    name: row.name ?? '',
    qtyInvoiced: stored(row.qty_invoiced),
    qtyRefunded: stored(row.qty_refunded),
    qtyInReturns: stored(row.qty_in_returns),
  }));
}

const stored = (text: string): Quantity => parseQuantity(text) ?? none;
