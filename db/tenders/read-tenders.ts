import type { EntityManager } from '@mikro-orm/postgresql';
import { parseAmount, zero, type Amount, type InBoth } from '../../domain/money.ts';
import type { SettleMethod } from '../../domain/returns/resolution.ts';
import {
  tendersOf,
  withRefunds,
  type OrderMoney,
  type TenderLine,
  type TenderPart,
} from '../../domain/tenders/tender-lines.ts';
import { amount, definite, json, listOf, orNull, integer, text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** The longest list of tenders that is read. */
const maxTenders = 50;

export interface OfOrder {
  orderId: number;
  canRefundThrough: (paymentMethod: string) => boolean;
  /** The return whose own lines do not count as refunded; absent: all count. */
  exceptReturn?: number;
}

/** The tenders of an order and what each took and gave back; empty for an order without money. */
export async function readTenders(
  em: EntityManager,
  { orderId, canRefundThrough, exceptReturn }: OfOrder,
): Promise<TenderLine[]> {
  const row = await select.first(em, { orderId, exceptReturn: exceptReturn ?? 0 });
  if (row === undefined) return [];
  const kinds = new Map(row.kinds.map(({ method, kind }) => [method, kind]));
  const known = { kindOf: (method: string) => kinds.get(method) ?? method, canRefundThrough };
  return withRefunds(tendersOf(moneyOf(row), known), row.refunds);
}

function moneyOf(row: RowFrom<typeof select>): OrderMoney {
  const { posTenders, splitPayments, ...order } = row;
  return {
    ...order,
    sold: { order: row.sold, base: row.baseSold } satisfies InBoth,
    changeDue: row.changeDue ?? zero,
    posTenders: partsOf(posTenders),
    splitPayments: partsOf(splitPayments),
  };
}

type Posted = Readonly<Record<string, unknown>>;

/** The parts of a list that a register sent; undefined where one of them cannot be read. */
function partsOf(rows: readonly Posted[] | null): TenderPart[] | undefined {
  if (rows === null || rows.length === 0 || rows.length > maxTenders) return undefined;
  const parts = rows.map((row) => {
    const method = textOf(row['method'] ?? row['payment_method'] ?? row['code']);
    const part = moneyIn(row['amount'] ?? row['amount_tendered']);
    return method === null || part === undefined
      ? undefined
      : { method, amount: part, paymentId: textOf(row['payment_id'] ?? row['reference']) };
  });
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
const moneyIn = (value: unknown): Amount | undefined =>
  typeof value === 'number' || typeof value === 'string' ? parseAmount(String(value)) : undefined;

/** The payments of an order that a gateway may be asked to give back, besides the order's own. */
export const readTenderPayments = async (
  em: EntityManager,
  orderId: number,
): Promise<{ method: string; reference: string }[]> => payments.all(em, { orderId });

const payments = sql('read-tenders.payments', { gives: { method: definite(text), reference: definite(text) } })`
  select distinct t ->> 'method' as method, t ->> 'payment_id' as reference
  from sales_order o, jsonb_array_elements(coalesce(o.extension_attributes -> 'pos_tenders', '[]')) t
  where o.entity_id = $orderId and t ->> 'method' <> '' and t ->> 'payment_id' <> ''
  union
  select m.method, m.reference from sales_money_in m
  where m.order_id = $orderId and m.kind = 'credit_due' and m.method is not null and m.reference <> ''`;

/** Money that came in with the sale: not what was paid later under its own method. */
const withSale = `m.kind in ('placement', 'invoice')`;
const later = `m.kind in ('layaway_capture', 'credit_due')`;

/**
 * What went back, or may have: lines of settlements, refunds of a gateway, memos by hand with the method of their
 * return, and a cancellation without a memo.
 */
const refunds = `
  select t.line_id, t.payment_id, t.method, t.amount, t.base_amount from sale_return_tender t
  where t.order_id = $orderId and t.return_id <> $exceptReturn and t.state in ('started', 'uncertain', 'refunded', 'booked')
  union all
  select null, a.payment_reference, 'original_payment', a.amount, a.base_amount from refund_attempt a
  where a.order_id = $orderId and a.line_id is null and a.state in ('started', 'uncertain', 'booked')
  union all
  select null, null, r.refund_method, m.grand_total - coalesce(l.amount, 0), m.base_grand_total - coalesce(l.base_amount, 0)
  from sales_creditmemo m left join sale_return r on r.credit_memo_id = m.entity_id
  left join lateral (
    select sum(b.amount) as amount, sum(b.base_amount) as base_amount
    from order_credit_return b join order_credit c on c.credit_id = b.credit_id
    where b.credit_memo_id = m.entity_id and c.applies_as = 'tender') l on true
  where m.order_id = $orderId and m.state <> 3 and m.figures_from <> 'save' and m.refund_attempt_id is null
    and not exists (select from sale_return_tender t where t.return_id = r.return_id)
  union all
  select null, null, c.refund_method, c.refund, c.base_refund from layaway_cancellation c
  where c.order_id = $orderId and c.credit_memo_id is null`;

const select = sql('read-tenders.select', {
  gives: {
    posTenders: orNull(json<readonly Posted[]>()),
    splitPayments: orNull(json<readonly Posted[]>()),
    paymentMethod: definite(text),
    sold: definite(amount),
    baseSold: definite(amount),
    changeDue: orNull(amount),
    payments: listOf({ method: text, paymentId: orNull(text), amount, baseAmount: amount }),
    refunds: listOf({
      lineId: orNull(integer),
      paymentId: orNull(text),
      method: orNull(text as Kind<SettleMethod>),
      amount,
      baseAmount: amount,
    }),
    kinds: listOf({ method: text, kind: text }),
  },
})`
  with money as materialized (select m.* from sales_money_in m where m.order_id = $orderId),
  receipt as materialized (
    select pos_rows_of(coalesce(r.split_payments, pos_json_of(r.receipt_model) #>> '{payment,split_payments}')) as parts,
      r.change_due
    from pos_receipt r join sales_order o on o.entity_id = $orderId
    where (r.pos_order_id = o.pos_sale_id or r.order_increment_id = o.increment_id)
      and r.sale_type is distinct from 'refund' and r.layaway_kind is null
    order by r.receipt_id limit 1
  )
  select o.order_currency_code, o.base_currency_code, o.pos_layaway_status is not null as is_layaway,
    p.method as payment_method, p.last_trans_id as payment_reference, coalesce(p.amount_ordered, 0) as amount_ordered,
    coalesce((select sum(m.amount) from money m where ${withSale}), 0) as sold,
    coalesce((select sum(m.base_amount) from money m where ${withSale}), 0) as base_sold,
    o.extension_attributes -> 'pos_tenders' as pos_tenders,
    (select nullif(parts, '[]'::jsonb) from receipt) as split_payments,
    (select change_due from receipt) as change_due,
    (select coalesce(json_agg(json_build_object('method', coalesce(m.method, p.method), 'paymentId', nullif(m.reference, ''),
      'amount', m.amount, 'baseAmount', m.base_amount) order by m.money_in_id), '[]') from money m where ${later}) as payments,
    (select coalesce(json_agg(json_build_object('lineId', f.line_id, 'paymentId', f.payment_id, 'method', f.method,
      'amount', f.amount, 'baseAmount', f.base_amount)), '[]') from (${refunds}) f (line_id, payment_id, method, amount,
      base_amount) where f.amount > 0) as refunds,
    (select coalesce(json_agg(json_build_object('method', k.method, 'kind', pos_tender_of(k.method))), '[]') from (
      select p.method union select m.method from money m where m.method is not null
      union select coalesce(t ->> 'method', t ->> 'payment_method', t ->> 'code') from jsonb_array_elements(
        coalesce(o.extension_attributes -> 'pos_tenders', '[]') || coalesce((select parts from receipt), '[]')) t
      union select 'cash') k (method) where k.method is not null) as kinds
  from sales_order o join sales_order_payment p on p.order_id = o.entity_id
  where o.entity_id = $orderId`;
