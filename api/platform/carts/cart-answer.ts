import { z } from 'zod';
import { cartAddressAnswer } from './cart-address-answer.ts';
import { cartItemAnswer } from './cart-item-answer.ts';

/** A cart (platform facts 11); of a guest only the e-mail is known, and perhaps not yet. */
export const cartAnswer = z
  .object({
    id: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    is_active: z.boolean(),
    is_virtual: z.boolean(),
    items: z.array(cartItemAnswer),
    items_count: z.int(),
    items_qty: z.number(),
    customer: z.object({
      id: z.int().optional(),
      group_id: z.int(),
      email: z.string().nullable(),
      firstname: z.string().nullable(),
      middlename: z.string().optional(),
      lastname: z.string().nullable(),
      store_id: z.int(),
      website_id: z.int(),
    }),
    billing_address: cartAddressAnswer,
    orig_order_id: z.int(),
    currency: z.object({
      global_currency_code: z.string(),
      base_currency_code: z.string(),
      store_currency_code: z.string(),
      quote_currency_code: z.string(),
      store_to_base_rate: z.number(),
      store_to_quote_rate: z.number(),
      base_to_global_rate: z.number(),
      base_to_quote_rate: z.number(),
    }),
    customer_is_guest: z.boolean(),
    customer_note_notify: z.boolean(),
    customer_tax_class_id: z.int(),
    store_id: z.int(),
    extension_attributes: z.object({
      shipping_assignments: z.array(
        z.object({
          shipping: z.object({ address: cartAddressAnswer, method: z.string().nullable() }),
          items: z.array(cartItemAnswer),
        }),
      ),
    }),
  })
  .meta({ id: 'Cart' });
