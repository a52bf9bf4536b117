import { ForeignKeyConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { amount, integer, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { heldCartColumns, heldCartGiven, type HeldCartRow } from './held-cart.repository.ts';

/** A cart that a register parks. */
export interface CartToHold {
  locationId: number;
  cartUuid: string;
  cartData: string;
  customerName?: string | undefined;
  itemCount?: number | undefined;
  grandTotal?: Amount | undefined;
  currencyCode?: string | undefined;
  staffId?: number | undefined;
  staffName?: string | undefined;
  terminalId?: number | undefined;
  holdComment?: string | undefined;
  /** The owner of the token. */
  caller: string;
}

/**
 * Is this the claimant's own post, begun after the claim? Staff or terminal say so. A post that names neither is told
 * by its token. Anybody else's post may be late, and must not put a cart up for sale a second time.
 */
const isClaimants = `pos_held_cart.recalled_at < now() and (
  excluded.staff_id = pos_held_cart.recalled_by_staff_id
  or excluded.terminal_id = pos_held_cart.recalled_at_terminal_id
  or (excluded.staff_id is null and excluded.terminal_id is null
    and excluded.parked_by_caller = pos_held_cart.recalled_by_caller))`;

const upsert = statement({
  takes: {
    cartUuid: text,
    locationId: integer,
    cartData: text,
    customerName: orNull(text),
    itemCount: orNull(integer),
    grandTotal: orNull(amount),
    currencyCode: orNull(text),
    staffId: orNull(integer),
    staffName: orNull(text),
    terminalId: orNull(integer),
    holdComment: orNull(text),
    caller: text,
  },
  gives: heldCartGiven,
  text: `
    insert into pos_held_cart (cart_uuid, location_id, cart_data, customer_name, item_count, grand_total, currency_code,
      staff_id, staff_name, terminal_id, hold_comment, parked_by_caller)
    values ($cartUuid, $locationId, $cartData, $customerName, $itemCount, $grandTotal, $currencyCode,
      $staffId, $staffName, $terminalId, $holdComment, $caller)
    on conflict (cart_key) do update set cart_uuid = excluded.cart_uuid, location_id = excluded.location_id,
      cart_data = excluded.cart_data, customer_name = excluded.customer_name, item_count = excluded.item_count,
      grand_total = excluded.grand_total, currency_code = excluded.currency_code, staff_id = excluded.staff_id,
      staff_name = excluded.staff_name, terminal_id = excluded.terminal_id,
      hold_comment = excluded.hold_comment, updated_at = now(),
      (recalled_at, recalled_by_staff_id, recalled_by_caller, recalled_at_terminal_id) = (
        select pos_held_cart.recalled_at, pos_held_cart.recalled_by_staff_id, pos_held_cart.recalled_by_caller,
          pos_held_cart.recalled_at_terminal_id
        where (${isClaimants}) is not true),
      (parked_by_caller, parked_at) = (
        select case when parks then excluded.parked_by_caller else pos_held_cart.parked_by_caller end,
          case when parks then now() else pos_held_cart.parked_at end
        from (select pos_held_cart.recalled_at is null or (${isClaimants}) is true as parks) as this)
    returning ${heldCartColumns}`,
});

/**
 * Parks a cart (spec 4.4), in one statement. Repeated and concurrent posts of a UUID make one cart with the last
 * content. Posted by its claimant it is parked anew and free (spec 3.5). Posted by anybody else its claim stays.
 *
 * Refused with: 400 `Could not save the held cart: %1`, for an unknown location.
 */
export async function holdCart(em: EntityManager, cart: CartToHold): Promise<HeldCartRow> {
  try {
    const row = await upsert.first(em, {
      ...{ cartUuid: cart.cartUuid, locationId: cart.locationId, cartData: cart.cartData, caller: cart.caller },
      customerName: cart.customerName ?? null,
      itemCount: cart.itemCount ?? null,
      grandTotal: cart.grandTotal ?? null,
      currencyCode: cart.currencyCode ?? null,
      staffId: cart.staffId ?? null,
      staffName: cart.staffName ?? null,
      terminalId: cart.terminalId ?? null,
      holdComment: cart.holdComment ?? null,
    });
    if (!row) throw new Error('a held cart was saved and is not there');
    return row;
  } catch (error) {
    if (error instanceof ForeignKeyConstraintViolationException)
      throw invalid('Could not save the held cart: %1', ['the location does not exist']);
    throw error;
  }
}
