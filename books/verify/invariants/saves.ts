import { isMore, isOther } from '../in-coins.ts';
import type { Invariant } from '../invariant.ts';

/** Rules that saves and other verbs of an order must keep for its refunds. */
export const saveInvariants: readonly Invariant[] = [
  {
    id: 'S-01',
    sentence: 'While a refund is under way its order is in a state in which the memo can be booked.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.state, o.entity_id as order_id, o.increment_id, o.state as order_state
      from refund_attempt a join sales_order o on o.entity_id = a.order_id
      where a.state in ('started', 'uncertain') and o.state in ('holded', 'payment_review', 'canceled', 'closed')`,
  },
  {
    id: 'S-02',
    sentence:
      'A refund asked for money where its order was paid: method, transaction and currency are the order’s, or those of a payment of the layaway.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.order_id, a.payment_method, p.method, a.payment_reference, p.last_trans_id, a.currency_code,
             o.order_currency_code
      from refund_attempt a
      join sales_order o on o.entity_id = a.order_id
      join sales_order_payment p on p.order_id = a.order_id
      where a.currency_code <> o.order_currency_code
         or ((a.payment_method <> p.method
             or (a.payment_reference is not null and a.payment_reference is distinct from p.last_trans_id))
           and not exists (select from sales_money_in m where m.order_id = a.order_id and m.kind = 'layaway_capture'
             and m.method = a.payment_method and m.reference = a.payment_reference))`,
  },
  {
    id: 'S-03',
    sentence: 'No more shipping was refunded than the order says it was.',
    needsQuiet: false,
    // A posted figure finer than a coin counts as the nearest coin.
    sql: `
      select entity_id as order_id, increment_id, shipping_amount, shipping_refunded, base_shipping_amount,
             base_shipping_refunded
      from sales_order
      where shipping_refunded > greatest(shipping_amount, in_coins(shipping_amount, order_currency_code))
         or base_shipping_refunded
              > greatest(base_shipping_amount, in_coins(base_shipping_amount, base_currency_code))`,
  },
  {
    id: 'S-03b',
    sentence: 'A memo under way gives back no part of an order that is below nothing.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, memo ->> 'refundAttemptId' as attempt_id, figures.value as figures
      from sales_order o
      cross join lateral jsonb_array_elements(o.pending_memos) memo
      cross join lateral (values (memo #> '{figures,base}'), (memo #> '{figures,order}')) figures (value)
      where least((figures.value ->> 'shippingAmount')::numeric, (figures.value ->> 'shippingTaxAmount')::numeric,
                  (figures.value ->> 'grandTotal')::numeric) < 0`,
  },
  {
    id: 'S-04',
    sentence: 'An order that has invoices is worth no less than they took of it: in all, its goods and its tax.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.grand_total, o.total_invoiced, o.subtotal, o.subtotal_invoiced,
             o.tax_amount, o.tax_invoiced
      from sales_order o
      where exists (select from sales_invoice i where i.order_id = o.entity_id and i.state <> 3)
        and (${isMore('o.total_invoiced', 'o.grand_total')} or ${isMore('o.base_total_invoiced', 'o.base_grand_total')}
          or ${isMore('o.subtotal_invoiced', 'o.subtotal')} or ${isMore('o.base_subtotal_invoiced', 'o.base_subtotal')}
          or ${isMore('o.tax_invoiced', 'o.tax_amount')} or ${isMore('o.base_tax_invoiced', 'o.base_tax_amount')})`,
  },
  {
    id: 'S-04b',
    sentence: 'A line is worth no less than its invoices took of it.',
    needsQuiet: false,
    // A negative price compares downwards.
    sql: `
      select i.item_id as order_item_id, i.order_id, i.sku, i.row_total, i.row_invoiced, i.tax_amount, i.tax_invoiced
      from sales_order_item i join sales_order o on o.entity_id = i.order_id
      where exists (select from sales_invoice_item n where n.order_item_id = i.item_id)
        and (${isMore('abs(i.row_invoiced)', 'abs(i.row_total)')}
          or ${isMore('abs(i.base_row_invoiced)', 'abs(i.base_row_total)')}
          or ${isMore('abs(i.tax_invoiced)', 'abs(i.tax_amount)')}
          or ${isMore('abs(i.base_tax_invoiced)', 'abs(i.base_tax_amount)')})`,
  },
  {
    id: 'S-04c',
    sentence: 'A line whose last piece was invoiced is worth what its invoices took of it.',
    needsQuiet: false,
    // Pieces that were cancelled are in no invoice; an order may be posted as invoiced elsewhere.
    sql: `
      select i.item_id as order_item_id, i.order_id, i.sku, i.row_total, i.row_invoiced, i.tax_amount, i.tax_invoiced,
             i.discount_amount, i.discount_invoiced
      from sales_order_item i join sales_order o on o.entity_id = i.order_id
      where exists (select from sales_invoice_item n where n.order_item_id = i.item_id)
        and i.qty_invoiced >= i.qty_ordered and i.qty_canceled = 0
        and (${isOther('i.row_total', 'i.row_invoiced')} or ${isOther('i.base_row_total', 'i.base_row_invoiced')}
          or ${isOther('i.tax_amount', 'i.tax_invoiced')} or ${isOther('i.base_tax_amount', 'i.base_tax_invoiced')}
          or ${isOther('i.discount_amount', 'i.discount_invoiced')}
          or ${isOther('i.base_discount_amount', 'i.base_discount_invoiced')})`,
  },
  {
    id: 'S-05',
    sentence: 'An order that was paid can be refunded: it has lines, and was paid in both currencies.',
    needsQuiet: false,
    // Less than a cent in the other currency counts as zero there.
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_paid, o.base_total_paid, o.base_to_order_rate
      from sales_order o
      where o.total_paid > 0
        and ((o.base_total_paid = 0 and o.total_paid >= 0.01 * greatest(o.base_to_order_rate, 1))
          or not exists (select from sales_order_item i where i.order_id = o.entity_id))`,
  },
];
