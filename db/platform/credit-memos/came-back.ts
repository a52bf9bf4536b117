import type { EntityManager } from '@mikro-orm/postgresql';
import { formatQuantity, minus, none, parseQuantity, plus, type Quantity } from '../../../domain/money/quantity.ts';
import type { CameBack } from '../../../domain/platform/credit-memos/credit-memo-stock.ts';
import { query } from '../../support/query.ts';

/** What came back of an order's lines otherwise than with its memos, by line. Read under the order lock. */
export type ReadReturned = (em: EntityManager, orderId: number) => Promise<ReadonlyMap<number, CameBack>>;

interface Row {
  order_item_id: number;
  qty: string;
  never_shipped: string;
}

/** What came back of an order's lines, by line: with memos that moved their goods, and otherwise. */
export async function readCameBack(
  em: EntityManager,
  { orderId, readReturned }: { orderId: number; readReturned: ReadReturned | undefined },
): Promise<(orderItemId: number) => CameBack> {
  const rows = await query<Row>(em, withMemosText, [orderId]);
  const withMemos = new Map(rows.map((row) => [row.order_item_id, cameBackOf(row)]));
  const otherwise = await readReturned?.(em, orderId);
  return (orderItemId) => both(withMemos.get(orderItemId) ?? nothing, otherwise?.get(orderItemId) ?? nothing);
}

const nothing: CameBack = { cameBack: none, neverShipped: none };

const both = (one: CameBack, other: CameBack): CameBack => ({
  cameBack: plus(one.cameBack, other.cameBack),
  neverShipped: plus(one.neverShipped, other.neverShipped),
});

function cameBackOf(row: Row): CameBack {
  const neverShipped = parseQuantity(row.never_shipped) ?? none;
  return { cameBack: minus(parseQuantity(row.qty) ?? none, neverShipped), neverShipped };
}

const withMemosText = `
select i.order_item_id, sum(i.qty)::text as qty, sum(i.qty_never_shipped)::text as never_shipped
from sales_creditmemo_item i join sales_creditmemo m on m.entity_id = i.parent_id
where m.order_id = $1 and i.qty_never_shipped is not null group by i.order_item_id`;

/** Written down once, with the move: what the order looks like later does not tell it any more. */
export const noteCameBack = (
  em: EntityManager,
  creditMemoId: number,
  lines: readonly { orderItemId: number; neverShipped: Quantity }[],
): Promise<unknown> =>
  query(
    em,
    `update sales_creditmemo_item i set qty_never_shipped = l.qty
     from unnest($2::int[], $3::numeric[]) as l(order_item_id, qty)
     where i.parent_id = $1 and i.order_item_id = l.order_item_id`,
    [creditMemoId, lines.map(({ orderItemId }) => orderItemId), lines.map((line) => formatQuantity(line.neverShipped))],
  );
