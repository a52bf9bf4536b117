import type { EntityManager } from '@mikro-orm/postgresql';
import { formatQuantity, minus, none, plus, type Quantity } from '../../../domain/money/quantity.ts';
import type { CameBack } from '../../../domain/platform/credit-memos/credit-memo-stock.ts';
import { integer, integers, listText, quantity, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** Reads what came back of an order's lines through returns, by line. Called under the order lock. */
export type ReadReturned = (em: EntityManager, orderId: number) => Promise<ReadonlyMap<number, CameBack>>;

/** What came back of an order's lines, by line: through memos that moved their goods, and through returns. */
export async function readCameBack(
  em: EntityManager,
  { orderId, readReturned }: { orderId: number; readReturned: ReadReturned | undefined },
): Promise<(orderItemId: number) => CameBack> {
  const rows = await readWithMemos.all(em, { orderId });
  const withMemos = new Map(
    rows.map(({ orderItemId, qty, neverShipped }) => {
      return [orderItemId, { cameBack: minus(qty, neverShipped), neverShipped }] as const;
    }),
  );
  const otherwise = await readReturned?.(em, orderId);
  return (orderItemId) => both(withMemos.get(orderItemId) ?? nothing, otherwise?.get(orderItemId) ?? nothing);
}

const nothing: CameBack = { cameBack: none, neverShipped: none };

const both = (one: CameBack, other: CameBack): CameBack => ({
  cameBack: plus(one.cameBack, other.cameBack),
  neverShipped: plus(one.neverShipped, other.neverShipped),
});

const readWithMemos = statement({
  takes: { orderId: integer },
  gives: { orderItemId: integer, qty: surely(quantity), neverShipped: surely(quantity) },
  text: `
    select i.order_item_id, sum(i.qty) as qty, sum(i.qty_never_shipped) as never_shipped
    from sales_creditmemo_item i join sales_creditmemo m on m.entity_id = i.parent_id
    where m.order_id = $orderId and i.qty_never_shipped is not null group by i.order_item_id`,
});

/** Kept when the goods move, because the order's later state no longer shows it. */
export const noteCameBack = (
  em: EntityManager,
  creditMemoId: number,
  lines: readonly { orderItemId: number; neverShipped: Quantity }[],
): Promise<unknown> =>
  note.run(em, {
    creditMemoId,
    orderItemIds: lines.map(({ orderItemId }) => orderItemId),
    qtys: `{${lines.map((line) => formatQuantity(line.neverShipped)).join(',')}}`,
  });

const note = statement({
  takes: { creditMemoId: integer, orderItemIds: integers, qtys: listText('numeric[]') },
  text: `
    update sales_creditmemo_item i set qty_never_shipped = l.qty
    from unnest($orderItemIds::int[], $qtys::numeric[]) as l(order_item_id, qty)
    where i.parent_id = $creditMemoId and i.order_item_id = l.order_item_id`,
});
