import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { query } from '../support/query.ts';
import { heldCartColumns, noSuchHeldCart, type HeldCartRow } from './held-cart.repository.ts';

const claim = `
  update pos_held_cart set recalled_by_staff_id = $2, recalled_by_caller = $3, recalled_at = now(), updated_at = now()
  where held_cart_id = $1 and recalled_at is null
  returning ${heldCartColumns}`;

const claimant = `
  select c.recalled_by_staff_id as "staffId", nullif(concat_ws(' ', s.first_name, s.last_name), '') as name,
    to_char(c.recalled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as "recalledAt",
    coalesce(c.recalled_by_staff_id = $2 and c.recalled_by_caller = $3 and c.recalled_at > now() - interval '10 minutes',
      false) as "isOwn"
  from pos_held_cart c left join pos_staff s on s.staff_id = c.recalled_by_staff_id
  where c.held_cart_id = $1`;

const claimed = `select ${heldCartColumns} from pos_held_cart where held_cart_id = $1`;

/** Who takes a cart up. */
export interface Recall {
  heldCartId: number;
  staffId: number;
  /** Whose token it is. */
  caller: string;
}

interface Claimant {
  staffId: number;
  name: string | null;
  recalledAt: string;
  isOwn: boolean;
}

/**
 * Claims a held cart (spec 3.5, 4.4) in one guarded statement: of any number of registers one wins, once and for all.
 *
 * The same person with the same token is answered the cart again for ten minutes (our choice): an answer that was lost is
 * asked for within them, and later it may be another register where that person is signed in.
 *
 * Refused with: 404 unknown id · 400 already recalled.
 *
 * @param replayed told where the cart is answered again
 */
export async function recallCart(
  em: EntityManager,
  { heldCartId, staffId, caller }: Recall,
  replayed: () => void = () => undefined,
): Promise<HeldCartRow> {
  const [won] = await query<HeldCartRow>(em, claim, [heldCartId, staffId, caller]);
  if (won) return won;
  const [by] = await query<Claimant>(em, claimant, [heldCartId, staffId, caller]);
  const [again] = by?.isOwn ? await query<HeldCartRow>(em, claimed, [heldCartId]) : [];
  if (again) {
    replayed();
    return again;
  }
  if (!by) throw noSuchHeldCart(heldCartId);
  throw invalid('The held cart was already recalled by %1 at %2.', [by.name ?? `staff ${by.staffId}`, by.recalledAt]);
}
