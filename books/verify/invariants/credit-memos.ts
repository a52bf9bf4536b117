import type { Invariant } from '../invariant.ts';
import { documentsBeside, linesBeside, memoBooks } from './documents.ts';

/** Credit memos beside the registers that they count up. A cancelled one (state 3) and a bare save count for nothing. */
export const creditMemoInvariants: readonly Invariant[] = [
  {
    id: 'M-01',
    sentence: 'What an order says was refunded is what its credit memos add up to.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_refunded, m.grand_total as memos, o.total_online_refunded,
             o.total_offline_refunded, o.base_total_refunded, m.base_grand_total as base_memos
      from sales_order o
      join (
        select order_id, sum(grand_total) as grand_total, sum(base_grand_total) as base_grand_total,
               coalesce(sum(grand_total) filter (where is_online), 0) as online
        from sales_creditmemo where state <> 3 and figures_from <> 'save' group by order_id
      ) m on m.order_id = o.entity_id
      where o.total_refunded <> m.grand_total or o.base_total_refunded <> m.base_grand_total
         or o.total_online_refunded <> m.online
         or o.total_online_refunded + o.total_offline_refunded <> o.total_refunded`,
  },
  {
    id: 'M-01b',
    sentence: 'What is handed back is in whole coins of its currency: memos, and what gateways are asked for.',
    needsQuiet: false,
    sql: `
      select m.order_id, 'credit memo' as document, m.entity_id as id, m.grand_total as amount, m.base_grand_total as base_amount
      from sales_creditmemo m join sales_order o on o.entity_id = m.order_id
      where m.figures_from <> 'save' and (m.grand_total <> in_coins(m.grand_total, o.order_currency_code)
         or m.base_grand_total <> in_coins(m.base_grand_total, o.base_currency_code))
      union all
      select a.order_id, 'refund attempt', a.attempt_id, a.amount, a.base_amount
      from refund_attempt a join sales_order o on o.entity_id = a.order_id
      where a.amount <> in_coins(a.amount, o.order_currency_code)
         or a.base_amount <> in_coins(a.base_amount, o.base_currency_code)
      union all
      select c.order_id, 'cancelled layaway', c.order_id, c.refund, c.base_refund
      from layaway_cancellation c join sales_order o on o.entity_id = c.order_id
      where c.refund <> in_coins(c.refund, o.order_currency_code)
         or c.base_refund <> in_coins(c.base_refund, o.base_currency_code)`,
  },
  {
    id: 'M-02',
    sentence:
      'Each part of what an order refunded (goods, tax, shipping, discount, adjustments) is the sum over its memos.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.subtotal_refunded, m.subtotal, o.tax_refunded, m.tax,
             o.shipping_refunded, m.shipping, o.discount_refunded, m.discount, o.adjustment_positive, m.positive,
             o.adjustment_negative, m.negative
      from sales_order o
      join (
        select order_id, sum(subtotal) as subtotal, sum(tax_amount) as tax, sum(shipping_amount) as shipping,
               sum(discount_amount) as discount, sum(adjustment_positive) as positive, sum(adjustment_negative) as negative
        from sales_creditmemo where state <> 3 and figures_from <> 'save' group by order_id
      ) m on m.order_id = o.entity_id
      where (o.subtotal_refunded, o.tax_refunded, o.shipping_refunded, o.discount_refunded, o.adjustment_positive, o.adjustment_negative)
         <> (m.subtotal, m.tax, m.shipping, m.discount, m.positive, m.negative)`,
  },
  {
    id: 'M-03',
    sentence:
      'A credit memo adds up, unless its caller worked it out: goods less discount, shipping, taxes, adjustments are its total.',
    needsQuiet: false,
    sql: documentsBeside(memoBooks, {
      column: 'adjustment',
      isWrong: `
        d.adjustment <> d.adjustment_positive - d.adjustment_negative
        or d.base_adjustment <> d.base_adjustment_positive - d.base_adjustment_negative`,
    }),
  },
  {
    id: 'M-04',
    sentence: 'The lines of a credit memo add up to its goods, unless its caller worked it out.',
    needsQuiet: false,
    sql: `
      select m.entity_id as credit_memo_id, m.increment_id, m.order_id, m.subtotal, coalesce(i.rows, 0) as lines
      from sales_creditmemo m
      left join (
        select parent_id, sum(row_total) as rows, sum(base_row_total) as base_rows
        from sales_creditmemo_item group by parent_id
      ) i on i.parent_id = m.entity_id
      where m.figures_from = 'collectors'
        and (m.subtotal <> coalesce(i.rows, 0) or m.base_subtotal <> coalesce(i.base_rows, 0))`,
  },
  {
    id: 'M-05',
    sentence: 'What a line says was refunded is what its memo lines add up to.',
    needsQuiet: false,
    sql: linesBeside(memoBooks),
  },
  {
    id: 'M-06',
    sentence: 'A memo line names a line of the same order.',
    needsQuiet: false,
    sql: `
      select l.entity_id as memo_item_id, l.parent_id as credit_memo_id, m.order_id, l.order_item_id
      from sales_creditmemo_item l
      join sales_creditmemo m on m.entity_id = l.parent_id
      left join sales_order_item i on i.item_id = l.order_item_id
      where i.order_id is distinct from m.order_id`,
  },
  {
    id: 'M-07',
    sentence: 'The payment of an order says the same about refunds as the order does.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_refunded, p.amount_refunded, o.base_total_refunded,
             p.base_amount_refunded
      from sales_order o join sales_order_payment p on p.order_id = o.entity_id
      where exists (select from sales_creditmemo m where m.order_id = o.entity_id)
        and (o.total_refunded, o.base_total_refunded) <> (p.amount_refunded, p.base_amount_refunded)`,
  },
  {
    id: 'M-08',
    sentence: 'A reference of a refund is that of one credit memo of its order, and its transaction is kept.',
    needsQuiet: false,
    sql: `
      select m.order_id, m.transaction_id as reference, count(*) as memos, max(t.transaction_id) as transaction
      from sales_creditmemo m
      left join sales_payment_transaction t
        on t.order_id = m.order_id and t.txn_type = 'refund' and t.txn_id = m.transaction_id
      where m.transaction_id is not null and m.state <> 3 and m.figures_from <> 'save'
      group by m.order_id, m.transaction_id having count(*) > 1 or max(t.transaction_id) is null`,
  },
  {
    id: 'I-31',
    sentence: 'Each credit memo left a line in the history of its order.',
    needsQuiet: false,
    sql: `
      select m.order_id, m.memos, coalesce(h.lines, 0) as history_lines
      from (
        select order_id, count(*) as memos from sales_creditmemo where figures_from <> 'save' group by order_id) m
      left join (
        select parent_id, count(*) as lines from sales_order_status_history
        where entity_name = 'creditmemo' group by parent_id
      ) h on h.parent_id = m.order_id
      where coalesce(h.lines, 0) < m.memos`,
  },
];
