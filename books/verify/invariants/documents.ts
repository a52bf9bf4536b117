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

export const invoiceBooks: Documents = {
  table: 'sales_invoice',
  lines: 'sales_invoice_item',
  id: 'invoice_id',
  counts: 'd.state <> 3',
  registers: { qty: 'qty_invoiced', rows: 'row_invoiced', tax: 'tax_invoiced', discount: 'discount_invoiced' },
  called: 'invoices',
};

export const memoBooks: Documents = {
  table: 'sales_creditmemo',
  lines: 'sales_creditmemo_item',
  id: 'credit_memo_id',
  counts: "d.state <> 3 and d.figures_from <> 'save'",
  addsUp: "d.figures_from = 'collectors'",
  registers: { qty: 'qty_refunded', rows: 'amount_refunded', tax: 'tax_refunded', discount: 'discount_refunded' },
  called: 'memos',
};

/** Order lines whose totals are not the sum of their documents' lines. */
export const linesBeside = ({ table, lines, counts, registers, called }: Documents) => `
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
export const documentsBeside = (
  { table, lines, id, addsUp = 'true' }: Documents,
  more?: { column: string; isWrong: string },
) => `
  select d.entity_id as ${id}, d.increment_id, d.order_id, d.grand_total, d.subtotal, d.discount_amount,
         d.shipping_amount, d.tax_amount, d.discount_tax_compensation_amount, w.fixed_taxes${more ? `, d.${more.column}` : ''}
  from ${table} d
  cross join lateral (
    select coalesce(sum(weee_tax_applied_row_amount), 0) as fixed_taxes,
           coalesce(sum(base_weee_tax_applied_row_amount), 0) as base_fixed_taxes
    from ${lines} where parent_id = d.entity_id
  ) w
  where ${addsUp} and (${sumIs('', more?.column)} or ${sumIs('base_', more?.column)}${more ? ` or ${more.isWrong}` : ''})`;

const parts = ['subtotal', 'discount_amount', 'shipping_amount', 'tax_amount', 'discount_tax_compensation_amount'];

const sumIs = (prefix: '' | 'base_', more: string | undefined) =>
  `d.${prefix}grand_total <> ${[...parts, ...(more ? [more] : [])].map((part) => `d.${prefix}${part}`).join(' + ')} + w.${prefix}fixed_taxes`;
