import { z } from 'zod';

const segment = z.object({ code: z.string(), title: z.string(), value: z.number(), area: z.string().optional() });

const totalsItem = z.object({
  item_id: z.int(),
  price: z.number(),
  base_price: z.number(),
  qty: z.number(),
  row_total: z.number(),
  base_row_total: z.number(),
  row_total_with_discount: z.number(),
  tax_amount: z.number(),
  base_tax_amount: z.number(),
  tax_percent: z.number(),
  discount_amount: z.number(),
  base_discount_amount: z.number(),
  discount_percent: z.number(),
  price_incl_tax: z.number(),
  base_price_incl_tax: z.number(),
  row_total_incl_tax: z.number(),
  base_row_total_incl_tax: z.number(),
  /** Of one piece. */
  weee_tax_applied_amount: z.number(),
  /** A JSON text. */
  weee_tax_applied: z.string(),
  options: z.string(),
  name: z.string(),
});

/**
 * The totals of a cart (platform facts 11). Store credit is a separate, negative segment. The grand total stays the
 * full price, and `amount_to_pay` is the rest after the credit (our choice).
 */
export const totalsAnswer = z
  .object({
    grand_total: z.number(),
    base_grand_total: z.number(),
    subtotal: z.number(),
    base_subtotal: z.number(),
    discount_amount: z.number(),
    base_discount_amount: z.number(),
    subtotal_with_discount: z.number(),
    base_subtotal_with_discount: z.number(),
    shipping_amount: z.number(),
    base_shipping_amount: z.number(),
    shipping_discount_amount: z.number(),
    base_shipping_discount_amount: z.number(),
    tax_amount: z.number(),
    base_tax_amount: z.number(),
    weee_tax_applied_amount: z.number(),
    shipping_tax_amount: z.number(),
    base_shipping_tax_amount: z.number(),
    subtotal_incl_tax: z.number(),
    base_subtotal_incl_tax: z.number(),
    shipping_incl_tax: z.number(),
    base_shipping_incl_tax: z.number(),
    base_currency_code: z.string(),
    quote_currency_code: z.string(),
    coupon_code: z.string().optional(),
    items_qty: z.number(),
    items: z.array(totalsItem),
    total_segments: z.array(segment),
    extension_attributes: z.object({ amount_to_pay: z.number(), base_amount_to_pay: z.number() }),
  })
  .meta({ id: 'CartTotals' });
