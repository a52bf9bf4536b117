import type { EntityManager } from '@mikro-orm/postgresql';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import type { PricedCredit } from '../../domain/credits/price-credits.ts';
import { add, formatAmount, toWire, zero } from '../../domain/money/amount.ts';
import { moneyText } from '../../domain/money/money-text.ts';
import { MoneyIn } from '../platform/orders/money-in.entity.ts';
import { OrderComment } from '../platform/orders/order-comment.entity.ts';
import { insertRows } from '../support/insert-rows.ts';
import { query } from '../support/query.ts';
import { OrderCredit } from './order-credit.entity.ts';
import type { OrderToPayRow } from './read-order-to-pay.ts';

/** A credit that was taken from its store. */
export interface SpentCredit extends PricedCredit {
  providerCode: string;
  customerId: number | null;
  websiteId: number;
  spendKey: string;
}

/**
 * Writes credits that were spent into the order that was just placed: the credits themselves, a payment for each that is
 * one, the order's total paid, its history, and what its answers show of them. In the caller's transaction.
 *
 * What answers show is written once: it never changes. A layaway's own attributes follow by a hook that runs after it.
 */
export async function payWithCredits(
  em: EntityManager,
  order: OrderToPayRow,
  credits: readonly SpentCredit[],
): Promise<void> {
  const tenders = credits.filter(({ appliesAs }) => appliesAs === 'tender');
  const ids = await nextIds(em, credits.length);
  await insertRows(em, [
    { entity: OrderCredit, rows: credits.map((credit, at) => creditRow(order, credit, ids[at])) },
    {
      entity: MoneyIn,
      rows: tenders.map(({ amount, baseAmount, providerCode, spendKey }) => ({
        orderId: order.orderId,
        kind: 'credit',
        reference: spendKey,
        method: providerCode,
        amount,
        baseAmount,
      })),
    },
    {
      entity: OrderComment,
      rows: credits.map((credit) => ({
        parentId: order.orderId,
        comment: historyLine(credit, order.orderCurrencyCode),
        status: order.status,
      })),
    },
  ]);
  const paid = formatAmount(add(zero, ...tenders.map(({ amount }) => amount)));
  const basePaid = formatAmount(add(zero, ...tenders.map(({ baseAmount }) => baseAmount)));
  const echo = JSON.stringify({ pos_applied_credits: credits.map(echoOf) });
  await query(em, payText, [order.orderId, paid, basePaid, echo]);
}

async function nextIds(em: EntityManager, count: number): Promise<number[]> {
  const rows = await query<{ id: number }>(
    em,
    `select nextval('order_credit_credit_id_seq')::int as id from generate_series(1, $1::int)`,
    [count],
  );
  return rows.map(({ id }) => id);
}

const creditRow = (order: OrderToPayRow, credit: SpentCredit, creditId: number | undefined) => ({
  creditId,
  orderId: order.orderId,
  kind: credit.kind,
  providerCode: credit.providerCode,
  appliesAs: credit.appliesAs,
  customerId: credit.customerId,
  websiteId: credit.websiteId,
  code: credit.code,
  baseAmount: credit.baseAmount,
  amount: credit.amount,
  points: credit.points,
  spendKey: credit.spendKey,
});

const payText = `
with paid as (
  update sales_order set total_paid = total_paid + $2::numeric, base_total_paid = base_total_paid + $3::numeric,
    extension_attributes = extension_attributes || $4::jsonb
  where entity_id = $1
)
update sales_order_payment set amount_paid = amount_paid + $2::numeric, base_amount_paid = base_amount_paid + $3::numeric
where order_id = $1`;

function historyLine({ kind, appliesAs, code, amount, points }: SpentCredit, currencyCode: string): string {
  const worth = moneyText(amount, currencyCode);
  const what = {
    store_credit: 'store credit',
    gift_card: `gift card ${maskCode(code ?? '')}`,
    reward_points: 'points',
  };
  const spent = points === null ? what[kind] : `${points} reward points`;
  return appliesAs === 'tender' ? `Paid ${worth} with ${spent}.` : `Discounted by ${worth} for ${spent}.`;
}

/** What answers show of a credit: extension attribute `pos_applied_credits` of the order. */
const echoOf = ({ kind, providerCode, appliesAs, code, baseAmount, amount, points }: SpentCredit) => ({
  kind,
  provider_code: providerCode,
  applies_as: appliesAs,
  direction: 'applied',
  base_amount: toWire(baseAmount),
  amount: toWire(amount),
  ...(points === null ? {} : { points }),
  ...(code === null ? {} : { code: maskCode(code) }),
});
