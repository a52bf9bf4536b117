import { hash } from 'node:crypto';
import { ForeignKeyConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../domain/money.ts';
import { heldCartNotFound, heldCartNotSaved, heldCartRecalled } from '../../domain/refusals/register.ts';
import { orNull, text } from '../support/entity-columns.ts';
import { gathered } from '../support/gather.ts';
import { asListed } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { cartKeyOf } from './cart-key.ts';
import { HeldCart } from './held-cart.entity.ts';

/** A held cart as stored: money as decimal text, times as text. */
export type HeldCartRow = RowFrom<typeof newestCarts>;

const keys = [
  ...(['heldCartId', 'locationId', 'staffId', 'staffName', 'terminalId', 'cartUuid', 'cartData'] as const),
  ...(['customerName', 'itemCount', 'grandTotal', 'currencyCode', 'holdComment', 'recalledByStaffId'] as const),
  ...(['recalledAt', 'createdAt', 'updatedAt'] as const),
] as const;
const heldCartPosted = asListed(HeldCart, ...keys);
const heldCartColumns = `held_cart_id, location_id, staff_id, staff_name, terminal_id, cart_uuid, cart_data,
  customer_name, item_count, grand_total, currency_code, hold_comment, recalled_by_staff_id, recalled_at, created_at,
  updated_at`;

const noSuchHeldCart = (heldCartId: number) => heldCartNotFound([heldCartId]);

/** The most bytes of cart data in one list: a busy shop's register still reads it within a second. */
const longestList = 8_388_608;

const onlyOne = { location: '$locationId', limit: '$pageSize' };

/**
 * A location's newest carts, limited by number and by size; the newest is always included. The location is
 * deliberately not a plain equation, so that only the index of both columns has this order. Otherwise the plan for a
 * busy location would read all carts by id.
 */
const newest = (columns: string, { location, limit }: { location: string; limit: string } = onlyOne) => `
  select ${columns} from (
    select *, sum(octet_length(cart_data)) over (order by held_cart_id desc) as bytes
    from (
      select * from pos_held_cart where location_id between ${location} and ${location}
      order by location_id desc, held_cart_id desc limit ${limit}
    ) as page
  ) as measured
  where bytes <= ${longestList} order by held_cart_id desc`;

const newestCarts = sql('hold-cart.newestCarts', { gives: heldCartPosted })`${newest(heldCartColumns)}`;

/** The versions of many lists in one statement; it hashes the same text as `versionOf`. */
const versions = sql('hold-cart.versions', { answerWithinMs: 3_000, gives: { version: orNull(text) } })`
  select a.location_id, a.page_size, (
    select encode(sha256(convert_to(coalesce(string_agg(held_cart_id || ' ' || updated_at, e'\\n'
      order by held_cart_id desc), ''), 'UTF8')), 'hex')
    from (${newest('held_cart_id, updated_at', { location: 'a.location_id', limit: 'a.page_size' })}) as listed
  ) as version
  from unnest($locationIds::bigint[], $pageSizes::integer[]) as a (location_id, page_size)`;

interface ListInput {
  locationId: number;
  pageSize: number;
}

/** A location's carts, including claimed ones, newest first (spec 4.4); empty for an unknown location. */
export const findHeldCarts = (em: EntityManager, { locationId, pageSize }: ListInput): Promise<HeldCartRow[]> =>
  newestCarts.all(em, { locationId, pageSize });

type Versioned = Pick<HeldCartRow, 'held_cart_id' | 'updated_at'>;

/**
 * The version of the list that `findHeldCarts` would read now, without reading a cart. One statement, which registers
 * that ask at the same moment share.
 */
export const findHeldCartsVersion = gathered<ListInput, string>({
  atMost: 64,
  async ask(em, inputs) {
    const distinct = [...new Map(inputs.map((input) => [keyOf(input), input])).values()];
    const rows = await versions.all(em, {
      locationIds: distinct.map(({ locationId }) => locationId),
      pageSizes: distinct.map(({ pageSize }) => pageSize),
    });
    const known = new Map(rows.map((row) => [keyOf(row), row.version]));
    return inputs.map((command) => known.get(keyOf(command)) ?? '');
  },
});

const keyOf = ({ locationId, pageSize }: ListInput) => `${locationId} ${pageSize}`;

/**
 * A different text for every different list. Made of each row's own time: the latest time alone would miss a change
 * that began early and was committed late.
 */
export function versionOf(rows: readonly Versioned[]): string {
  return hash('sha256', rows.map((row) => `${row.held_cart_id} ${row.updated_at}`).join('\n'));
}

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

const upsert = sql('hold-cart.upsert', { gives: heldCartPosted })`
  insert into pos_held_cart (cart_uuid, location_id, cart_data, customer_name, item_count, grand_total, currency_code,
    staff_id, staff_name, terminal_id, hold_comment, parked_by_caller)
  values ($cartUuid, $locationId, $cartData, $customerName?, $itemCount?, $grandTotal?, $currencyCode?,
    $staffId?, $staffName?, $terminalId?, $holdComment?, $caller)
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
  returning ${heldCartColumns}`;

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
      throw heldCartNotSaved(['the location does not exist']);
    throw error;
  }
}

const claim = sql('hold-cart.claim', { gives: heldCartPosted })`
  update pos_held_cart set recalled_by_staff_id = $staffId, recalled_by_caller = $caller,
    recalled_at = greatest(now(), parked_at),
    recalled_at_terminal_id = coalesce($terminalId?::bigint, (
      select terminal_id from pos_staff_session where staff_id = $staffId and expires_at > now()
      order by session_id desc limit 1)),
    updated_at = now()
  where held_cart_id = $heldCartId and recalled_at is null
  returning ${heldCartColumns}`;

const claimant = sql('hold-cart.claimant', { gives: { name: orNull(text), recalledAt: orNull(text) } })`
  select c.recalled_by_staff_id as staff_id, nullif(concat_ws(' ', s.first_name, s.last_name), '') as name,
    to_char(c.recalled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as recalled_at,
    coalesce(c.recalled_by_staff_id = $staffId and c.recalled_by_caller = $caller
      and c.recalled_at > now() - interval '10 minutes', false) as is_own
  from pos_held_cart c left join pos_staff s on s.staff_id = c.recalled_by_staff_id
  where c.held_cart_id = $heldCartId`;

const claimed = sql('hold-cart.claimed', { gives: heldCartPosted })`
  select ${heldCartColumns} from pos_held_cart where held_cart_id = $heldCartId`;

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
  throw heldCartRecalled([by.name ?? `staff ${by.staffId}`, by.recalledAt ?? '']);
}

/** Removes a held cart, claimed or not (spec 4.4). Refused with: 404 unknown id, hence also a repeat. */
export async function deleteHeldCart(em: EntityManager, heldCartId: number): Promise<void> {
  if ((await byId.run(em, { heldCartId })) === 0) throw noSuchHeldCart(heldCartId);
}

const byId = sql('hold-cart.byId')`delete from pos_held_cart where held_cart_id = $heldCartId`;

/**
 * Removes a held cart by its register's own name for it (spec 4.4). Safe to repeat. It also succeeds for a cart that
 * was parked offline and never sent: the cart is gone either way.
 */
export async function deleteHeldCartByUuid(em: EntityManager, cartUuid: string): Promise<void> {
  await byUuid.run(em, { cartUuid });
}

const byUuid = sql('hold-cart.byUuid')`delete from pos_held_cart where cart_key = ${cartKeyOf('$cartUuid::text')}`;
