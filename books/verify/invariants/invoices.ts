import { isMore } from '../in-coins.ts';
import type { Invariant } from '../invariant.ts';
import { documentsBeside, invoiceBooks, linesBeside } from './documents.ts';

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
    sql: linesBeside(invoiceBooks),
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
      where ${isMore('i.paid_invoices', 'o.total_paid')}
         or ${isMore('i.base_paid_invoices', 'o.base_total_paid')}`,
  },
  {
    id: 'N-04',
    sentence: 'An invoice adds up: goods less discount, with shipping, taxes and compensation, is its total.',
    needsQuiet: false,
    sql: documentsBeside(invoiceBooks),
  },
];
