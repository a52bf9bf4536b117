import type { Invariant } from '../invariant.ts';

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
      where (o.total_invoiced, o.base_total_invoiced, o.subtotal_invoiced, o.tax_invoiced, o.shipping_invoiced, o.discount_invoiced)
         <> (i.grand_total, i.base_grand_total, i.subtotal, i.tax, i.shipping, i.discount)`,
  },
  {
    id: 'N-02',
    sentence: 'What a line says was invoiced is what its invoice lines add up to.',
    needsQuiet: false,
    sql: `
      select i.item_id as order_item_id, i.order_id, i.sku, i.qty_invoiced, n.qty as in_invoices,
             i.row_invoiced, n.row_total as rows_in_invoices, i.tax_invoiced, i.discount_invoiced
      from sales_order_item i
      join (
        select l.order_item_id, sum(l.qty) as qty, sum(l.row_total) as row_total, sum(l.tax_amount) as tax,
               sum(l.discount_amount) as discount
        from sales_invoice_item l join sales_invoice d on d.entity_id = l.parent_id
        where d.state <> 3 group by l.order_item_id
      ) n on n.order_item_id = i.item_id
      where i.parent_item_id is null
        and (i.qty_invoiced, i.row_invoiced, i.tax_invoiced, i.discount_invoiced)
         <> (n.qty, n.row_total, n.tax, n.discount)`,
  },
  {
    id: 'N-03',
    sentence: 'A paid invoice was paid: its order took in no less than its paid invoices ask for.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_paid, i.paid_invoices
      from sales_order o
      join (
        select order_id, sum(grand_total) as paid_invoices, sum(base_grand_total) as base_paid_invoices
        from sales_invoice where state = 2 group by order_id
      ) i on i.order_id = o.entity_id
      where i.paid_invoices > o.total_paid or i.base_paid_invoices > o.base_total_paid`,
  },
  {
    id: 'N-04',
    sentence: 'An invoice adds up: goods less discount, with shipping, taxes and compensation, is its total.',
    needsQuiet: false,
    sql: `
      select n.entity_id as invoice_id, n.increment_id, n.order_id, n.grand_total, n.subtotal, n.discount_amount,
             n.shipping_amount, n.tax_amount, n.discount_tax_compensation_amount, w.fixed_taxes
      from sales_invoice n
      cross join lateral (
        select coalesce(sum(weee_tax_applied_row_amount), 0) as fixed_taxes,
               coalesce(sum(base_weee_tax_applied_row_amount), 0) as base_fixed_taxes
        from sales_invoice_item where parent_id = n.entity_id
      ) w
      where n.grand_total <> n.subtotal + n.discount_amount + n.shipping_amount + n.tax_amount
                           + n.discount_tax_compensation_amount + w.fixed_taxes
         or n.base_grand_total <> n.base_subtotal + n.base_discount_amount + n.base_shipping_amount + n.base_tax_amount
                                + n.base_discount_tax_compensation_amount + w.base_fixed_taxes`,
  },
];
