import type { EntityManager } from '@mikro-orm/postgresql';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import type { PricedCredit } from '../../domain/credits/price-credits.ts';
import { add, toWire, zero } from '../../domain/money/amount.ts';
import { moneyText } from '../../domain/money/money-text.ts';
import { MoneyIn } from '../platform/orders/money-in.entity.ts';
import { OrderComment } from '../platform/orders/order-comment.entity.ts';
import { amount, integer, json, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { insertRows, into } from '../support/write-rows.ts';
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
 * Books spent credits on a new order: the credits themselves, a payment for each tender, the order's total paid, its
 * history, and the credits in its answers. In the caller's transaction.
 *
 * The credits in answers are written once and never change. A layaway's own attributes follow by a later hook.
 */
export async function payWithCredits(
  em: EntityManager,
  order: OrderToPayRow,
  credits: readonly SpentCredit[],
): Promise<void> {
  const tenders = credits.filter(({ appliesAs }) => appliesAs === 'tender');
  const ids = await drawIds.all(em, { count: credits.length });
  await insertRows(em, [
    into(
      OrderCredit,
      credits.map((credit, at) => creditRow(order, credit, ids[at]?.creditId)),
    ),
    into(
      MoneyIn,
      tenders.map(({ amount: worth, baseAmount, providerCode, spendKey }) => ({
        orderId: order.orderId,
        kind: 'credit',
        reference: spendKey,
        method: providerCode,
        amount: worth,
        baseAmount,
      })),
    ),
    into(
      OrderComment,
      credits.map((credit) => ({
        parentId: order.orderId,
        comment: historyLine(credit, order.orderCurrencyCode),
        status: order.status,
      })),
    ),
  ]);
  await pay.run(em, {
    orderId: order.orderId,
    paid: add(zero, ...tenders.map((tender) => tender.amount)),
    basePaid: add(zero, ...tenders.map(({ baseAmount }) => baseAmount)),
    echo: { pos_applied_credits: credits.map(echoOf) },
  });
}

const drawIds = statement({
  takes: { count: integer },
  gives: { creditId: surely(integer) },
  text: `select nextval('order_credit_credit_id_seq')::int as credit_id from generate_series(1, $count::int)`,
});

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

const pay = statement({
  takes: { orderId: integer, paid: amount, basePaid: amount, echo: json<object>() },
  text: `
    with paid as (
      update sales_order set total_paid = total_paid + $paid::numeric,
        base_total_paid = base_total_paid + $basePaid::numeric,
        extension_attributes = extension_attributes || $echo::jsonb
      where entity_id = $orderId
    )
    update sales_order_payment set amount_paid = amount_paid + $paid::numeric,
      base_amount_paid = base_amount_paid + $basePaid::numeric
    where order_id = $orderId`,
});

function historyLine(credit: SpentCredit, currencyCode: string): string {
  const { kind, appliesAs, code, points } = credit;
  const worth = moneyText(credit.amount, currencyCode);
  const what = {
    store_credit: 'store credit',
    gift_card: `gift card ${maskCode(code ?? '')}`,
    reward_points: 'points',
  };
  const spent = points === null ? what[kind] : `${points} reward points`;
  return appliesAs === 'tender' ? `Paid ${worth} with ${spent}.` : `Discounted by ${worth} for ${spent}.`;
}

/** A credit as answers show it: extension attribute `pos_applied_credits` of the order. */
const echoOf = ({ kind, providerCode, appliesAs, code, baseAmount, amount: worth, points }: SpentCredit) => ({
  kind,
  provider_code: providerCode,
  applies_as: appliesAs,
  direction: 'applied',
  base_amount: toWire(baseAmount),
  amount: toWire(worth),
  ...(points === null ? {} : { points }),
  ...(code === null ? {} : { code: maskCode(code) }),
});
