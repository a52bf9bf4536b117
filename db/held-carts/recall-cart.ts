import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { query } from '../support/query.ts';
import { heldCartColumns, noSuchHeldCart, type HeldCartRow } from './held-cart.repository.ts';

const claim = `
  update pos_held_cart set recalled_by_staff_id = $2, recalled_at = now(), updated_at = now()
  where held_cart_id = $1 and recalled_at is null
  returning ${heldCartColumns}`;

const claimant = `
  select c.recalled_by_staff_id as "staffId", nullif(concat_ws(' ', s.first_name, s.last_name), '') as name,
    to_char(c.recalled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as "recalledAt"
  from pos_held_cart c left join pos_staff s on s.staff_id = c.recalled_by_staff_id
  where c.held_cart_id = $1`;

/**
 * Claims a held cart (spec 3.5, 4.4) in one guarded statement: of any number of registers one wins, once and for all.
 * A repeat loses to its own first call, and learns from the message who has the cart.
 *
 * Refused with: 404 unknown id · 400 already recalled.
 */
export async function recallCart(
  em: EntityManager,
  { heldCartId, staffId }: { heldCartId: number; staffId: number },
): Promise<HeldCartRow> {
  const [won] = await query<HeldCartRow>(em, claim, [heldCartId, staffId]);
  if (won) return won;
  const [by] = await query<{ staffId: number; name: string | null; recalledAt: string }>(em, claimant, [heldCartId]);
  if (!by) throw noSuchHeldCart(heldCartId);
  throw invalid('The held cart was already recalled by %1 at %2.', [by.name ?? `staff ${by.staffId}`, by.recalledAt]);
}
