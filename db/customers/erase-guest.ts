import type { EntityManager } from '@mikro-orm/postgresql';
import { erasedAddress, isErasedAddress, withoutNames, type GuestName } from '../../domain/customers.ts';
import { invalid } from '../../domain/errors.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Author } from '../audit/record-difference.ts';

import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import {
  eraseAddressesTo,
  eraseOrders,
  eraseReceipts,
  forgetSignIns,
  readOpenOrders,
  receiptsOf,
  refuseOpen,
  type OpenOrder,
} from './erase-names.ts';
import {
  findAccounts,
  findGuestCarts,
  findGuestOrders,
  findHeldCarts,
  findReceiptsByEmail,
  isOfOthersOrder,
  ordersOfGuest,
  receiptsWithEmail,
} from './read-person.ts';

/** What was found of a guest, or lost its names. */
export interface GuestErased {
  orders: number;
  receipts: number;
  /** Unfinished and placed carts of the web shop, deleted. */
  carts: number;
  /** Parked carts of registers, which lost their names; one that cannot be read is deleted. */
  heldCarts: number;
  newsletters: number;
  /** Addresses on orders of somebody else. */
  addresses: number;
}

export interface EraseGuest {
  who: GuestName;
  by: Author;
  /** Told after each batch, with the orders and receipts so far. */
  tell?: (soFar: GuestErased) => void;
  /** Orders or receipts of one transaction. */
  batch?: number;
}

const batchSize = 200;

/**
 * Takes a person without an account out of the shop: names, addresses and contacts go, orders and receipts stay without
 * them. Batch by batch, each committed: a run that was broken off is repeated and goes on, as what was erased is not
 * found again.
 *
 * Refused with 400: the address of walk-in customers · an address that has an account · an order of which something is
 * open; batches that came before it stay erased.
 */
export async function eraseGuest(
  em: EntityManager,
  { who, by, tell, batch = batchSize }: EraseGuest,
): Promise<GuestErased> {
  await refuseNobody(em, who);
  await refuseAccount(em, who);
  const done = { ...nothing };
  // All of it is looked at first: a guest with an open return keeps everything.
  await refuseOpen(em, await findGuestOrders(em, who));
  const trail = { by, isKept: false };
  while (await eraseSomeOrders(em, who, { batch, done, trail })) tell?.(done);
  if ('email' in who) while (await eraseSomeReceipts(em, who.email, { batch, done, trail })) tell?.(done);
  const beside = await transact(em, async (tx) => {
    const found = await eraseBeside(tx, who);
    if (Object.values(found).some((rows) => rows > 0)) await keepTrail(tx, trail, withoutOrder);
    return found;
  });
  const { carts, heldCarts, newsletters, addresses } = beside;
  return { ...done, carts, heldCarts, newsletters, addresses };
}

/** What stands in the place of an order's id in the trail. */
const withoutOrder = 'no order';

/** What is kept of a guest beside orders and receipts. */
async function eraseBeside(tx: EntityManager, who: GuestName) {
  const carts = await dropCarts.run(tx, { cartIds: await findGuestCarts(tx, who) });
  if (!('email' in who)) return { carts, heldCarts: 0, newsletters: 0, addresses: 0, failures: 0 };
  return {
    carts,
    heldCarts: await eraseHeldCarts(tx, who.email),
    newsletters: await dropNewsletter.run(tx, { email: who.email }),
    addresses: await eraseAddressesTo(tx, who.email),
    failures: await forgetSignIns(tx, who.email),
  };
}

const nothing: Readonly<GuestErased> = {
  ...{ orders: 0, receipts: 0, carts: 0, heldCarts: 0, newsletters: 0, addresses: 0 },
};

/** What `eraseGuest` would change, and what keeps it from that. Reads only. */
export async function wouldErase(
  em: EntityManager,
  who: GuestName,
): Promise<{ found: GuestErased; accounts: number[]; open: OpenOrder[] }> {
  const orderIds = await findGuestOrders(em, who);
  const email = 'email' in who ? who.email : undefined;
  const receipts = new Set(email === undefined ? [] : await findReceiptsByEmail(em, email));
  for (const id of await receiptsOf(em, orderIds)) receipts.add(id);
  const beside = email === undefined ? undefined : await countBeside.first(em, { email });
  return {
    found: {
      ...{ orders: orderIds.length, receipts: receipts.size, carts: (await findGuestCarts(em, who)).length },
      heldCarts: email === undefined ? 0 : (await findHeldCarts(em, email)).length,
      ...{ newsletters: beside?.newsletters ?? 0, addresses: beside?.addresses ?? 0 },
    },
    accounts: email === undefined ? [] : await findAccounts(em, email),
    open: await readOpenOrders(em, orderIds),
  };
}

const countBeside = sql('erase-guest.countBeside')`
  select (select count(*)::int from newsletter_subscriber where lower(email) = lower($email)) as newsletters,
    (select count(*)::int from sales_order_address a where ${isOfOthersOrder('a')}) as addresses`;

/** Refused with 400: an address that has an account, which has more and is erased by its own command. */
async function refuseAccount(em: EntityManager, who: GuestName): Promise<void> {
  if (!('email' in who)) return;
  const [account] = await findAccounts(em, who.email);
  if (account !== undefined)
    throw invalid('%1 has an account. Erase customer %2 first; then repeat this for what is left.', [
      who.email,
      account,
    ]);
}

/**
 * Refused with 400: an address that is nobody's. That of every sale to a walk-in customer would take the shop's whole
 * past for one person's.
 */
export async function refuseNobody(em: EntityManager, who: GuestName): Promise<void> {
  if (!('email' in who)) return;
  const { email } = who;
  if (isErasedAddress(email)) throw invalid('%1 stands on orders that are erased already.', [email]);
  const walkIn = settingDefaults['vendor_pos_terminal/customers/walk_in_email'] ?? '';
  const isWalkIn = await isSetFor.first(em, { email, path: 'vendor_pos_terminal/customers/walk_in_email' });
  if (isWalkIn?.isSo || email.toLowerCase() === walkIn.toLowerCase())
    throw invalid('%1 is the address of sales to walk-in customers: it is nobody’s.', [email]);
}

const isSetFor = sql('erase-guest.isSetFor')`
  select exists (select from config_value where path = $path and lower(trim(value)) = lower($email)) as is_so`;

interface Course {
  done: GuestErased;
  trail: { by: Author; isKept: boolean };
}

/** One line for a run that changed something, in the first transaction that did; it names nobody. */
async function keepTrail(tx: EntityManager, trail: Course['trail'], of: string): Promise<void> {
  if (trail.isKept) return;
  await recordAudit(tx, {
    ...{ entityType: 'guest', entityId: of, fieldName: 'personal data', newValue: 'erased' },
    ...trail.by,
  });
}

const lockByEmail = sql('erase-guest.lockByEmail')`
  select o.entity_id as order_id from ${ordersOfGuest.email} order by o.entity_id limit $batch for update`;

const lockByTelephone = sql('erase-guest.lockByTelephone')`
  select o.entity_id as order_id from ${ordersOfGuest.telephone} order by o.entity_id limit $batch for update`;

/** @returns whether there may be more */
async function eraseSomeOrders(
  em: EntityManager,
  who: GuestName,
  { batch, done, trail }: Course & { batch: number },
): Promise<boolean> {
  const erased = await transact(em, async (tx) => {
    const found =
      'email' in who ? await lockByEmail.all(tx, { ...who, batch }) : await lockByTelephone.all(tx, { ...who, batch });
    const orderIds = found.map(({ orderId }) => orderId);
    const [first] = orderIds;
    if (first === undefined) return undefined;
    await refuseOpen(tx, orderIds);
    const receipts = await eraseReceipts(tx, await receiptsOf(tx, orderIds));
    await eraseOrders(tx, orderIds, erasedAddress(`order-${first}`));
    await keepTrail(tx, trail, String(first));
    return { orders: orderIds.length, receipts };
  });
  if (!erased) return false;
  trail.isKept = true;
  done.orders += erased.orders;
  done.receipts += erased.receipts;
  return erased.orders === batch;
}

const lockReceipts = sql('erase-guest.lockReceipts')`
  select receipt_id from ${receiptsWithEmail} order by receipt_id limit $batch for update`;

/** Receipts that no order of theirs names, such as of a sale that never became an order. */
async function eraseSomeReceipts(
  em: EntityManager,
  email: string,
  { batch, done, trail }: Course & { batch: number },
): Promise<boolean> {
  const receipts = await transact(em, async (tx) => {
    const receiptIds = (await lockReceipts.all(tx, { email, batch })).map(({ receiptId }) => receiptId);
    if (receiptIds.length > 0) await keepTrail(tx, trail, withoutOrder);
    return eraseReceipts(tx, receiptIds);
  });
  if (receipts > 0) trail.isKept = true;
  done.receipts += receipts;
  return receipts === batch;
}

const dropCarts = sql('erase-guest.dropCarts')`delete from quote where quote_id = any($cartIds)`;

const dropNewsletter = sql(
  'erase-guest.dropNewsletter',
)`delete from newsletter_subscriber where lower(email) = lower($email)`;

const readParked = sql('erase-guest.readParked')`
  select held_cart_id, cart_data from pos_held_cart where held_cart_id = any($heldCartIds)
    order by held_cart_id for update`;

const writeParked = sql('erase-guest.writeParked')`
  update pos_held_cart set cart_data = $cartData, customer_name = null, hold_comment = null, updated_at = now()
  where held_cart_id = $heldCartId`;

const dropParked = sql('erase-guest.dropParked')`delete from pos_held_cart where held_cart_id = $heldCartId`;

/** The goods stay parked. Where the address still stands in what is no name's place, the cart goes. */
async function eraseHeldCarts(tx: EntityManager, email: string): Promise<number> {
  const found = await readParked.all(tx, { heldCartIds: await findHeldCarts(tx, email) });
  for (const { heldCartId, cartData } of found) {
    const left = withoutNames(cartData);
    if (left === null || left.toLowerCase().includes(email.toLowerCase())) await dropParked.run(tx, { heldCartId });
    else await writeParked.run(tx, { heldCartId, cartData: left });
  }
  return found.length;
}
