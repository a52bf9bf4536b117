import { isMore, type Invariant } from '../invariant.ts';

/** What invoices and credit memos need for their common rules. */
export interface Documents {
  /** The documents' table, `d` in the SQL. */
  table: string;
  lines: string;
  /** The name of its id in the rows that break a rule. */
  id: string;
  /** The condition on `d` for documents that count in the totals of an order and its lines. */
  counts: string;
  /** The condition for documents whose parts must add up; absent: all. */
  addsUp?: string;
  /** The columns of an order line, `i`, that add up quantity, rows, tax and discount. */
  registers: { qty: string; rows: string; tax: string; discount: string };
  /** The documents' name in the rows that break a rule. */
  called: string;
}

const invoiceBooks: Documents = {
  table: 'sales_invoice',
  lines: 'sales_invoice_item',
  id: 'invoice_id',
  counts: 'd.state <> 3',
  registers: { qty: 'qty_invoiced', rows: 'row_invoiced', tax: 'tax_invoiced', discount: 'discount_invoiced' },
  called: 'invoices',
};

const memoBooks: Documents = {
  table: 'sales_creditmemo',
  lines: 'sales_creditmemo_item',
  id: 'credit_memo_id',
  counts: "d.state <> 3 and d.figures_from <> 'save'",
  addsUp: "d.figures_from = 'collectors'",
  registers: { qty: 'qty_refunded', rows: 'amount_refunded', tax: 'tax_refunded', discount: 'discount_refunded' },
  called: 'memos',
};

/** Order lines whose totals are not the sum of their documents' lines. */
const linesBeside = ({ table, lines, counts, registers, called }: Documents) => `
  select i.item_id as order_item_id, i.order_id, i.sku, i.${registers.qty}, n.qty as in_${called},
         i.${registers.rows}, n.row_total as rows_in_${called}, i.${registers.tax}, i.${registers.discount}
  from sales_order_item i
  join (
    select l.order_item_id, sum(l.qty) as qty, sum(l.row_total) as row_total, sum(l.tax_amount) as tax,
           sum(l.discount_amount) as discount
    from ${lines} l join ${table} d on d.entity_id = l.parent_id
    where ${counts} group by l.order_item_id
  ) n on n.order_item_id = i.item_id
  where i.parent_item_id is null
    and (i.${registers.qty}, i.${registers.rows}, i.${registers.tax}, i.${registers.discount})
     <> (n.qty, n.row_total, n.tax, n.discount)`;

/** Documents whose total is not goods less discount, plus shipping, taxes, compensation and the other named parts. */
const documentsBeside = (
  { table, lines, id, addsUp = 'true' }: Documents,
  more?: { column: string; isWrong: string },
) => `
  select d.entity_id as ${id}, d.increment_id, d.order_id, d.grand_total, d.subtotal, d.discount_amount,
         d.shipping_amount, d.tax_amount, d.discount_tax_compensation_amount,
           w.fixed_taxes${more ? `, d.${more.column}` : ''}
  from ${table} d
  cross join lateral (
    select coalesce(sum(weee_tax_applied_row_amount), 0) as fixed_taxes,
           coalesce(sum(base_weee_tax_applied_row_amount), 0) as base_fixed_taxes
    from ${lines} where parent_id = d.entity_id
  ) w
  where ${addsUp} and (${sumIs('', more?.column)} or
    ${sumIs('base_', more?.column)}${more ? ` or ${more.isWrong}` : ''})`;

const parts = ['subtotal', 'discount_amount', 'shipping_amount', 'tax_amount', 'discount_tax_compensation_amount'];

const sumIs = (prefix: '' | 'base_', more: string | undefined) =>
  `d.${prefix}grand_total <> ${[...parts, ...(more ? [more] : [])].map((part) => `d.${prefix}${part}`).join(' + ')} + w.${prefix}fixed_taxes`;

/**
 * Credit memos beside the registers that they count up. A cancelled one (state 3) and a bare save count for nothing.
 */
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
      select m.order_id, 'credit memo' as document, m.entity_id as id, m.grand_total as amount,
        m.base_grand_total as base_amount
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
             o.adjustment_negative, m.negative, o.difference_refunded, m.difference
      from sales_order o
      join (
        select order_id, sum(subtotal) as subtotal, sum(tax_amount) as tax, sum(shipping_amount) as shipping,
               sum(discount_amount) as discount, sum(adjustment_positive) as positive,
                 sum(adjustment_negative) as negative,
               sum(difference) as difference, sum(base_difference) as base_difference
        from sales_creditmemo where state <> 3 and figures_from <> 'save' group by order_id
      ) m on m.order_id = o.entity_id
      where (o.subtotal_refunded, o.tax_refunded, o.shipping_refunded, o.discount_refunded, o.adjustment_positive,
        o.adjustment_negative)
         <> (m.subtotal, m.tax, m.shipping, m.discount, m.positive, m.negative)
         or (o.difference_refunded, o.base_difference_refunded) <> (m.difference, m.base_difference)`,
  },
  {
    id: 'M-03',
    sentence:
      'A credit memo adds up, unless its caller worked it out: goods less discount, shipping, taxes, adjustments ' +
      'are its total.',
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
    id: 'M-09',
    sentence: 'Once returns have brought all goods back, nothing is left of what was paid but the fees that were kept.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_paid, o.total_refunded, o.base_total_paid,
             o.base_total_refunded, m.fees, m.base_fees
      from sales_order o
      join lateral (
        select max(c.entity_id) as last_id, bool_or(c.figures_from = 'caller') as is_given,
               sum(c.adjustment_negative - greatest(-c.difference, 0)) as fees,
               sum(c.base_adjustment_negative - greatest(-c.base_difference, 0)) as base_fees
        from sales_creditmemo c where c.order_id = o.entity_id and c.state <> 3 and c.figures_from <> 'save'
      ) m on not m.is_given
      where exists (select from sale_return r where r.credit_memo_id = m.last_id)
        -- What a gateway was asked for cannot change when a refund by hand takes the last goods meanwhile.
        and not exists (
          select from sales_creditmemo l
          join refund_attempt a on a.attempt_id = l.refund_attempt_id
          join sales_creditmemo c on c.order_id = l.order_id and c.entity_id <> l.entity_id
          where l.entity_id = m.last_id and c.created_at >= date_trunc('second', a.created_at))
        and not exists (
          select from sales_order_item i
          where i.order_id = o.entity_id and i.parent_item_id is null and i.qty_refunded < i.qty_ordered)
        and o.base_pending_refund = 0
        and o.shipping_refunded >= in_coins(o.shipping_amount, o.order_currency_code)
        and (in_coins(o.total_paid, o.order_currency_code) - o.total_refunded
               - in_coins(o.returned_without_memo, o.order_currency_code) > m.fees
          or in_coins(o.base_total_paid, o.base_currency_code) - o.base_total_refunded
               - in_coins(o.base_returned_without_memo, o.base_currency_code) > m.base_fees)`,
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

/** Invoices, compared with the totals they add up to. A cancelled invoice (state 3) does not count. */
export const invoiceInvariants: readonly Invariant[] = [
  {
    id: 'N-01',
    sentence: 'What an order says was invoiced is what its invoices add up to.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_invoiced, i.grand_total as invoices,
             o.subtotal_invoiced, o.tax_invoiced, o.shipping_invoiced, o.discount_invoiced
      from sales_order o
      join (
        select order_id, sum(grand_total) as grand_total, sum(base_grand_total) as base_grand_total,
               sum(subtotal) as subtotal, sum(tax_amount) as tax, sum(shipping_amount) as shipping,
               sum(discount_amount) as discount
        from sales_invoice where state <> 3 group by order_id
      ) i on i.order_id = o.entity_id
      where (o.total_invoiced, o.base_total_invoiced, o.subtotal_invoiced, o.tax_invoiced, o.shipping_invoiced,
        o.discount_invoiced)
         <> (i.grand_total, i.base_grand_total, i.subtotal, i.tax, i.shipping, i.discount)`,
  },
  {
    id: 'N-02',
    sentence: 'What a line says was invoiced is what its invoice lines add up to.',
    needsQuiet: false,
    sql: linesBeside(invoiceBooks),
  },
  {
    id: 'N-03',
    sentence:
      'A paid invoice was paid: its order took in no less than its paid invoices ask for, but for what is owed no ' +
      'longer.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_paid, i.paid_invoices
      from sales_order o
      join (
        select order_id, sum(grand_total) as paid_invoices, sum(base_grand_total) as base_paid_invoices
        from sales_invoice where state = 2 group by order_id
      ) i on i.order_id = o.entity_id
      where ${isMore('i.paid_invoices', 'o.total_paid + o.due_taken_off')}
         or ${isMore('i.base_paid_invoices', 'o.base_total_paid + o.base_due_taken_off')}`,
  },
  {
    id: 'N-04',
    sentence: 'An invoice adds up: goods less discount, with shipping, taxes and compensation, is its total.',
    needsQuiet: false,
    sql: documentsBeside(invoiceBooks),
  },
];

/** No row stays between two states longer than a repair sweep needs. */
export const limboInvariants: readonly Invariant[] = [
  {
    id: 'I-30',
    sentence: 'No refund attempt is left as started: two minutes after its deadline it is decided or uncertain.',
    needsQuiet: true,
    sql: `
      select attempt_id, order_id, return_id, created_at, call_started_at, call_deadline
      from refund_attempt
      where state = 'started' and line_outcome is null and coalesce(call_deadline, created_at) < now() - interval '2 minutes'`,
  },
  {
    id: 'I-30b',
    sentence: 'A return made with a sale id is finished within two minutes, or a comment says why not.',
    needsQuiet: true,
    sql: `
      select r.return_id, r.increment_id, r.status, r.pos_sale_id, r.updated_at
      from sale_return r
      where not r.is_ready and r.updated_at < now() - interval '2 minutes'
        and r.status not in ('resolved', 'closed', 'processed_closed', 'rejected', 'denied')
        and not exists (select from sale_return_comment c where c.return_id = r.return_id)
        and not exists (select from refund_attempt a where a.return_id = r.return_id and a.state = 'uncertain')`,
  },
  {
    id: 'I-30d',
    sentence: 'A collapsed return is over within two minutes, unless the end of its refund is not known yet.',
    needsQuiet: true,
    sql: `
      select p.process_id, p.order_id, p.stage, p.provider_code, p.return_id, p.updated_at
      from return_process p left join refund_attempt a on a.attempt_id = p.refund_attempt_id
      where p.state = 'open' and p.updated_at < now() - interval '2 minutes' and a.state is distinct from 'uncertain'`,
  },
  {
    id: 'I-30c',
    sentence: 'No transaction stays open for more than half a minute.',
    needsQuiet: true,
    sql: `
      select pid, application_name, state, xact_start, left(query, 200) as query
      from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'
        and xact_start < now() - interval '30 seconds'`,
  },
];
