import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { gathered } from '../support/gather.ts';
import { integer, integers, orNull, surely, text } from '../support/kinds.ts';
import { asListed } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { HeldCart } from './held-cart.entity.ts';

/** A held cart as stored: money as decimal text, times as text. */
export type HeldCartRow = RowFrom<typeof newestCarts>;

const keys = [
  ...(['heldCartId', 'locationId', 'staffId', 'staffName', 'terminalId', 'cartUuid', 'cartData'] as const),
  ...(['customerName', 'itemCount', 'grandTotal', 'currencyCode', 'holdComment', 'recalledByStaffId'] as const),
  ...(['recalledAt', 'createdAt', 'updatedAt'] as const),
] as const;
export const heldCartGiven = asListed(HeldCart, ...keys);
export const heldCartColumns = `held_cart_id, location_id, staff_id, staff_name, terminal_id, cart_uuid, cart_data,
  customer_name, item_count, grand_total, currency_code, hold_comment, recalled_by_staff_id, recalled_at, created_at,
  updated_at`;

export const noSuchHeldCart = (heldCartId: number) => notFound('Held cart with id %1 does not exist', [heldCartId]);

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

const newestCarts = statement({
  takes: { locationId: integer, pageSize: integer },
  gives: heldCartGiven,
  text: newest(heldCartColumns),
});

/** The versions of many lists in one statement; it hashes the same text as `versionOf`. */
const versions = statement({
  answerWithinMs: 3_000,
  takes: { locationIds: integers, pageSizes: integers },
  gives: { locationId: surely(integer), pageSize: surely(integer), version: orNull(text) },
  text: `
    select a.location_id, a.page_size, (
      select encode(sha256(convert_to(coalesce(string_agg(held_cart_id || ' ' || updated_at, e'\\n' order by held_cart_id desc), ''), 'UTF8')), 'hex')
      from (${newest('held_cart_id, updated_at', { location: 'a.location_id', limit: 'a.page_size' })}) as listed
    ) as version
    from unnest($locationIds::integer[], $pageSizes::integer[]) as a (location_id, page_size)`,
});

interface ListWish {
  locationId: number;
  pageSize: number;
}

/** A location's carts, including claimed ones, newest first (spec 4.4); empty for an unknown location. */
export const findHeldCarts = (em: EntityManager, { locationId, pageSize }: ListWish): Promise<HeldCartRow[]> =>
  newestCarts.all(em, { locationId, pageSize });

type Versioned = Pick<HeldCartRow, 'held_cart_id' | 'updated_at'>;

/**
 * The version of the list that `findHeldCarts` would read now, without reading a cart. One statement, which registers
 * that ask at the same moment share.
 */
export const findHeldCartsVersion = gathered<ListWish, string>({
  atMost: 64,
  async ask(em, wishes) {
    const distinct = [...new Map(wishes.map((wish) => [keyOf(wish), wish])).values()];
    const rows = await versions.all(em, {
      locationIds: distinct.map(({ locationId }) => locationId),
      pageSizes: distinct.map(({ pageSize }) => pageSize),
    });
    const known = new Map(rows.map((row) => [keyOf(row), row.version]));
    return wishes.map((wish) => known.get(keyOf(wish)) ?? '');
  },
});

const keyOf = ({ locationId, pageSize }: ListWish) => `${locationId} ${pageSize}`;

/**
 * A different text for every different list. Made of each row's own time: the latest time alone would miss a change
 * that began early and was committed late.
 */
export function versionOf(rows: readonly Versioned[]): string {
  return hash('sha256', rows.map((row) => `${row.held_cart_id} ${row.updated_at}`).join('\n'));
}
