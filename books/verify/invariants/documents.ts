/** Invoices and credit memos are books of one kind: these questions are asked of both. */
export interface Documents {
  /** Its table `d` and that of its lines. */
  table: string;
  lines: string;
  /** What the offending rows call its id. */
  id: string;
  /** Which of them, as `d`, count towards an order and its lines. */
  counts: string;
  /** Which of them add up; absent: all. */
  addsUp?: string;
  /** Of a line of the order, as `i`: the registers that count its quantity, rows, tax and discount. */
  registers: { qty: string; rows: string; tax: string; discount: string };
  /** What the offending rows call the documents. */
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

/** The lines of orders whose registers are not what the lines of their documents add up to. */
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

/** The documents whose total is not goods less discount, with shipping, taxes, compensation and whatever else is told. */
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
