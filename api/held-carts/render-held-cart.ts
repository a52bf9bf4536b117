import { z } from 'zod';
import type { HeldCartRow } from '../../db/held-carts/held-cart.repository.ts';
import { renderMoment } from '../wire/register/render-moment.ts';

/** A held cart with its data (spec 2.8). */
export const heldCartAnswer = z
  .object({
    held_cart_id: z.int(),
    location_id: z.int(),
    staff_id: z.int().nullable(),
    staff_name: z.string().nullable(),
    terminal_id: z.int().nullable(),
    cart_uuid: z.string(),
    cart_data: z.string(),
    customer_name: z.string().nullable(),
    item_count: z.int().nullable(),
    grand_total: z.number().nullable(),
    currency_code: z.string().nullable(),
    hold_comment: z.string().nullable(),
    recalled_by_staff_id: z.int().nullable(),
    recalled_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'HeldCart' });

export const renderHeldCart = (row: HeldCartRow): z.input<typeof heldCartAnswer> => ({
  held_cart_id: row.held_cart_id,
  location_id: row.location_id,
  staff_id: row.staff_id,
  staff_name: row.staff_name,
  terminal_id: row.terminal_id,
  cart_uuid: row.cart_uuid,
  cart_data: row.cart_data,
  customer_name: row.customer_name,
  item_count: row.item_count,
  grand_total: row.grand_total === null ? null : Number(row.grand_total),
  currency_code: row.currency_code,
  hold_comment: row.hold_comment,
  recalled_by_staff_id: row.recalled_by_staff_id,
  recalled_at: renderMoment(row.recalled_at),
  created_at: renderMoment(row.created_at),
  updated_at: renderMoment(row.updated_at),
});
