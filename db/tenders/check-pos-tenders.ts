import type { EntityManager } from '@mikro-orm/postgresql';
import {
  amount as toAmount,
  add,
  isInCoins,
  coinOf,
  subtract,
  toPlain,
  unitsPerWhole,
  zero,
} from '../../domain/money.ts';
import { posTendersDiffer, posTendersOfLayaway } from '../../domain/refusals/tenders.ts';
import type { PostedOrder } from '../platform/orders/posted-order.ts';
import type { SavedOrder } from '../platform/orders/saved-order.ts';
import { sql } from '../support/sql.ts';

/** A tender as it is stored and answered. */
export interface PosTender {
  method: string;
  amount: number;
  payment_id?: string;
}

/** The tenders posted with an order; undefined where none were. */
export const posTendersOf = ({
  columns: { extensionAttributes },
}: Pick<PostedOrder, 'columns'>): readonly PosTender[] | undefined =>
  extensionAttributes?.['pos_tenders'] as readonly PosTender[] | undefined;

/**
 * A hook of a new order: its `pos_tenders` come to its total less the credit that paid a part and less what stays due.
 * It runs after the credit was spent; a repeat changes nothing.
 *
 * Refused with: 400 `pos_tenders_differ`, with both figures · 400 tenders of a layaway.
 */
export async function checkPosTenders(em: EntityManager, order: SavedOrder, posted: PostedOrder): Promise<void> {
  const tenders = posTendersOf(posted);
  if (tenders === undefined || !order.isNew || order.isReplayed === true) return;
  if (order.posLayawayStatus !== null) throw posTendersOfLayaway();
  const row = await select.first(em, { orderId: order.orderId });
  if (row === undefined) return;
  const expected = subtract(row.grandTotal, row.credit, row.due);
  const sum = add(zero, ...tenders.map(({ amount }) => toAmount(Math.round(amount * unitsPerWhole))));
  const isWhole = isInCoins(sum, coinOf(row.orderCurrencyCode));
  if (sum !== expected || !isWhole) throw posTendersDiffer({ sum: toPlain(sum), expected: toPlain(expected) });
}

const select = sql('check-pos-tenders.select')`
  select o.grand_total, o.order_currency_code, coalesce(o.pos_credit_due, 0) as due,
    coalesce((select sum(c.amount) from order_credit c
      where c.order_id = o.entity_id and c.applies_as = 'tender'), 0) as credit
  from sales_order o where o.entity_id = $orderId`;
