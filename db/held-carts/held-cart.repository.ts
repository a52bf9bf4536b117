import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { query } from '../support/query.ts';

/** A held cart as its table has it: money as decimal text, moments as text. */
export interface HeldCartRow {
  held_cart_id: number;
  location_id: number;
  staff_id: number | null;
  staff_name: string | null;
  terminal_id: number | null;
  cart_uuid: string;
  cart_data: string;
  customer_name: string | null;
  item_count: number | null;
  grand_total: string | null;
  currency_code: string | null;
  hold_comment: string | null;
  recalled_by_staff_id: number | null;
  recalled_at: string | null;
  created_at: string;
  updated_at: string;
}

export const heldCartColumns = `held_cart_id, location_id, staff_id, staff_name, terminal_id, cart_uuid, cart_data,
  customer_name, item_count, grand_total, currency_code, hold_comment, recalled_by_staff_id, recalled_at, created_at,
  updated_at`;

export const noSuchHeldCart = (heldCartId: number) => notFound('Held cart with id %1 does not exist', [heldCartId]);

/** The largest list in bytes of cart data: what a register of a busy shop still reads within a second. */
const longestList = 8_388_608;

/** A location's newest carts: so many, and only so much data; the newest is always among them. */
const newest = (columns: string) => `
  select ${columns} from (
    select *, sum(octet_length(cart_data)) over (order by held_cart_id desc) as bytes
    from (select * from pos_held_cart where location_id = $1 order by held_cart_id desc limit $2) as page
  ) as measured
  where bytes <= ${longestList} order by held_cart_id desc`;

const newestCarts = newest(heldCartColumns);
const newestVersions = newest('held_cart_id, updated_at');

/** A location's carts, claimed ones among them, newest first (spec 4.4); none for a location nobody knows. */
export const findHeldCarts = (
  em: EntityManager,
  { locationId, pageSize }: { locationId: number; pageSize: number },
): Promise<HeldCartRow[]> => query<HeldCartRow>(em, newestCarts, [locationId, pageSize]);

type Versioned = Pick<HeldCartRow, 'held_cart_id' | 'updated_at'>;

/** The version of the list that `findHeldCarts` would read now, without reading a cart. */
export async function findHeldCartsVersion(
  em: EntityManager,
  { locationId, pageSize }: { locationId: number; pageSize: number },
): Promise<string> {
  return versionOf(await query<Versioned>(em, newestVersions, [locationId, pageSize]));
}

/**
 * Another text for every other list. Made of each row's own moment: the latest moment of all would miss a change that
 * began early and was committed late.
 */
export function versionOf(rows: readonly Versioned[]): string {
  const told = rows.map((row) => `${row.held_cart_id} ${row.updated_at}`).join('\n');
  return createHash('sha256').update(told).digest('base64url').slice(0, 27);
}
