import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { flag, integer, orNull, surely, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { heldCartColumns, heldCartGiven, noSuchHeldCart, type HeldCartRow } from './held-cart.repository.ts';

const claim = statement({
  takes: { heldCartId: integer, staffId: integer, caller: text, terminalId: orNull(integer) },
  gives: heldCartGiven,
  text: `
    update pos_held_cart set recalled_by_staff_id = $staffId, recalled_by_caller = $caller,
      recalled_at = greatest(now(), parked_at),
      recalled_at_terminal_id = coalesce($terminalId::integer, (
        select terminal_id from pos_staff_session where staff_id = $staffId and expires_at > now()
        order by session_id desc limit 1)),
      updated_at = now()
    where held_cart_id = $heldCartId and recalled_at is null
    returning ${heldCartColumns}`,
});

const claimant = statement({
  takes: { heldCartId: integer, staffId: integer, caller: text },
  gives: { staffId: orNull(integer), name: orNull(text), recalledAt: orNull(text), isOwn: surely(flag) },
  text: `
    select c.recalled_by_staff_id as staff_id, nullif(concat_ws(' ', s.first_name, s.last_name), '') as name,
      to_char(c.recalled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as recalled_at,
      coalesce(c.recalled_by_staff_id = $staffId and c.recalled_by_caller = $caller
        and c.recalled_at > now() - interval '10 minutes', false) as is_own
    from pos_held_cart c left join pos_staff s on s.staff_id = c.recalled_by_staff_id
    where c.held_cart_id = $heldCartId`,
});

const claimed = statement({
  takes: { heldCartId: integer },
  gives: heldCartGiven,
  text: `select ${heldCartColumns} from pos_held_cart where held_cart_id = $heldCartId`,
});

/** The caller that recalls a cart. */
export interface Recall {
  heldCartId: number;
  staffId: number;
  /** The owner of the token. */
  caller: string;
  /** Where the cart is taken up; undefined: where this member of staff signed in last. */
  terminalId?: number | undefined;
}

/**
 * Claims a held cart (spec 3.5, 4.4) in one guarded statement: of any number of registers one wins, until it parks
 * the cart anew.
 *
 * For ten minutes the same person with the same token gets the cart again (our choice), in case the answer was lost.
 * Later that person may be at another register.
 *
 * Refused with: 404 unknown id · 400 already recalled.
 *
 * @param replayed called when the cart is answered again
 */
export async function recallCart(
  em: EntityManager,
  { heldCartId, staffId, caller, terminalId }: Recall,
  replayed: () => void = () => undefined,
): Promise<HeldCartRow> {
  const won = await claim.first(em, { heldCartId, staffId, caller, terminalId: terminalId ?? null });
  if (won) return won;
  const by = await claimant.first(em, { heldCartId, staffId, caller });
  const again = by?.isOwn ? await claimed.first(em, { heldCartId }) : undefined;
  if (again) {
    replayed();
    return again;
  }
  if (!by) throw noSuchHeldCart(heldCartId);
  throw invalid('The held cart was already recalled by %1 at %2.', [
    by.name ?? `staff ${by.staffId}`,
    by.recalledAt ?? '',
  ]);
}
