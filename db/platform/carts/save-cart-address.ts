import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { none } from '../../../domain/money.ts';
import { quantityInCart } from '../../../domain/platform/carts/shop-choices.ts';
import { addressErrors, withRegion, type AddressDraft } from '../../../domain/platform/customers.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { pageTooLarge, invalidInput } from '../../../domain/refusals/platform.ts';
import {
  carrierNotFound,
  cartIsVirtual,
  cartNotAnonymous,
  cartOfOtherStore,
  customerAddressNotFound,
  shippingAddressMissing,
  shippingForEmptyCart,
} from '../../../domain/refusals/sales.ts';
import { quantity, definite } from '../../support/entity-columns.ts';
import { search } from '../../support/search.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { lockCart, readLockedCart, type CartKey } from './carts.ts';
import { methodOf, priceCart } from './price-cart.ts';
import { maxCartLines, tooManyLines } from './put-in-cart.ts';
import { QuoteAddress } from './quote.entity.ts';
import { readOffers } from './read-offers.ts';

export interface CartAddressDraft extends Omit<AddressDraft, 'id' | 'isDefaultBilling' | 'isDefaultShipping'> {
  email?: string | null | undefined;
  /** An entry of the customer's own address book. */
  customerAddressId?: number | null | undefined;
  sameAsBilling?: boolean | undefined;
  saveInAddressBook?: boolean | undefined;
}

/**
 * Sets the billing address of the customer's cart, and on request the same shipping address. Safe to repeat.
 *
 * Refused with: 404 no active cart, an entry of another customer's address book · 400 an address the country's rules
 * refuse.
 *
 * @returns the billing address's id
 */
export const setBillingAddress = (
  em: EntityManager,
  key: CartKey,
  { address, isShippedThere }: { address: CartAddressDraft; isShippedThere: boolean },
): Promise<number> =>
  transact(em, async (tx) => {
    const cart = await lockCart(tx, key);
    if (isShippedThere) await saveCartAddress(tx, cart, 'shipping', { ...address, sameAsBilling: true });
    return saveCartAddress(tx, cart, 'billing', address);
  });

/** Replaces an address of a locked cart. Refused as above. */
export async function saveCartAddress(
  em: EntityManager,
  { quoteId, customerId }: { quoteId: number; customerId: number | null },
  addressType: 'billing' | 'shipping',
  draft: CartAddressDraft,
): Promise<number> {
  const address = withRegion(draft);
  const errors = addressErrors(address);
  if (errors.length > 0) throw invalidInput(errors);
  await requireOwnEntry(em, customerId, draft.customerAddressId);
  const row = await replace.first(em, { quoteId, addressType });
  if (!row) throw new Error('no id for an address');
  const { addressId } = row;
  const { id: _id, isDefaultBilling: _billing, isDefaultShipping: _shipping, ...columns } = address;
  await insertRows(em, [into(QuoteAddress, [{ ...columns, quoteId, addressType, addressId }])]);
  return addressId;
}

/** An address that exists keeps its id. */
const replace = sql('save-cart-address.replace')`
  with touched as (update quote set updated_at = now() where quote_id = $quoteId),
  gone as (
    delete from quote_address where quote_id = $quoteId and address_type = $addressType returning address_id
  )
  select coalesce((select address_id from gone), nextval('quote_address_address_id_seq')) as address_id`;

async function requireOwnEntry(
  em: EntityManager,
  customerId: number | null,
  id: number | null | undefined,
): Promise<void> {
  if (id !== null && id !== undefined) await requireEntryOf(em, customerId, id);
}

/** Refused with 404: an entry of another customer's address book. A guest has no address book. */
export async function requireEntryOf(em: EntityManager, customerId: number | null, id: number): Promise<void> {
  if (customerId === null || !(await findOwn.first(em, { id, customerId }))) throw customerAddressNotFound([id]);
}

const findOwn = sql('save-cart-address.findOwn')`
  select id from customer_address where id = $id and customer_id = $customerId`;

/** A limit, because each found cart is priced. */
export const mostCarts = 100;

/** Searches carts (platform facts 3, 11). Refused with: 400 an unknown field, a page of more than 100. */
export function searchCarts(em: EntityManager, criteria: SearchCriteria) {
  if ((criteria.pageSize ?? 0) > mostCarts) throw pageTooLarge({ max: mostCarts });
  return search<{ quote_id: number }>(
    em,
    { ...criteria, pageSize: criteria.pageSize ?? mostCarts },
    {
      table: 'quote q left join customer c on c.id = q.customer_id',
      columns: 'q.quote_id',
      fields: {
        id: { column: 'q.quote_id', type: 'integer' },
        entity_id: { column: 'q.quote_id', type: 'integer' },
        customer_id: { column: 'q.customer_id', type: 'integer', isNullable: true },
        customer_email: { column: 'coalesce(q.customer_email, c.email)', type: 'text', isNullable: true },
        store_id: { column: 'q.store_id', type: 'integer' },
        is_active: { column: 'q.is_active', type: 'boolean' },
        coupon_code: { column: 'q.coupon_code', type: 'text', isNullable: true },
        orig_order_id: { column: 'coalesce(q.order_id, 0)', type: 'integer' },
        created_at: { column: 'q.created_at', type: 'timestamp' },
        updated_at: { column: 'q.updated_at', type: 'timestamp' },
      },
      order: 'q.quote_id',
    },
  );
}

export interface ShippingInput {
  address: CartAddressDraft;
  billingAddress: CartAddressDraft | undefined;
  carrierCode: string;
  methodCode: string;
}

/**
 * Sets the shipping address of the customer's cart, and how it is shipped (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a way to ship that is not offered, an entry of another customer's address book ·
 * 400 an empty cart, one with only virtual products, an address the country's rules refuse.
 */
export const setShipping = (
  em: EntityManager,
  key: CartKey,
  { address, billingAddress, carrierCode, methodCode, now }: ShippingInput & { now: Date },
): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    if (cart.isVirtual) throw cartIsVirtual();
    if (cart.lines.length === 0) throw shippingForEmptyCart();
    if (!address.countryId) throw shippingAddressMissing();
    const requested = methodOf({ carrierCode, methodCode });
    const { rates } = await priceCart(tx, cart, { sources: [], now });
    if (!rates.some((rate) => methodOf(rate) === requested)) throw carrierNotFound([carrierCode, methodCode]);
    await saveCartAddress(tx, cart, 'shipping', address);
    if (billingAddress) await saveCartAddress(tx, cart, 'billing', billingAddress);
    await set.run(tx, { quoteId: cart.quoteId, wanted: requested });
  });

const set = sql('save-cart-address.set')`
  update quote set shipping_method = $wanted, updated_at = now() where quote_id = $quoteId`;

/**
 * Gives a guest's cart to a customer (platform facts 11). The lines of the customer's own cart move into it, and it
 * becomes the customer's active cart. A repeat is refused, because the cart then belongs to a customer.
 *
 * Refused with: 404 no active cart, an unknown customer · 400 a store view of another website, a cart of a customer,
 * more of a product in both carts than one may hold or the shop has, more lines than a cart may have.
 */
export async function assignCart(em: EntityManager, key: CartKey, taker: Taker): Promise<void> {
  try {
    await assignOnce(em, key, taker);
  } catch (error) {
    // The customer opened a cart of their own meanwhile: now there is one, and it is brought over.
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    await assignOnce(em, key, taker);
  }
}

interface Taker {
  customerId: number;
  storeId: number;
}

const assignOnce = (em: EntityManager, key: CartKey, { customerId, storeId }: Taker): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await lockCart(tx, key);
    const customer = await findCustomer.first(tx, { customerId, storeId, websiteId: cart.websiteId });
    if (!customer) throw noSuchEntity('customerId', customerId);
    if (!customer.isOfStore) throw cartOfOtherStore();
    if (cart.customerId !== null) throw cartNotAnonymous();
    const { quoteId, websiteId } = cart;
    const own = await lockOwn.first(tx, { customerId, websiteId });
    if (own) {
      await refuseTooMuch(tx, { quoteId, ownId: own.quoteId, websiteId });
      await bringOver.run(tx, { quoteId, ownId: own.quoteId });
      await dropOwn.run(tx, { ownId: own.quoteId });
    }
    await give.run(tx, { quoteId, customerId, storeId });
  });

/** Locks the customer: of two carts that are given at once, the second finds the first as the customer's own. */
const findCustomer = sql('save-cart-address.findCustomer')`
  select c.website_id = $websiteId and exists (
    select from store_view v where v.store_id = $storeId and v.website_id = c.website_id) as is_of_store
  from customer c where c.id = $customerId for no key update of c`;

/** The same limits as where goods are put in: a cart that is merged is no way around them. */
async function refuseTooMuch(
  em: EntityManager,
  { websiteId, ...carts }: { quoteId: number; ownId: number; websiteId: number },
): Promise<void> {
  const rows = await readBoth.all(em, carts);
  if (rows.reduce((sum, { lines }) => sum + lines, 0) > maxCartLines) throw tooManyLines();
  const twice = rows.filter((row) => row.held > none && row.added > none);
  const offers = await readOffers(em, { skus: twice.map(({ sku }) => sku), websiteId }, { isBinding: false });
  for (const { sku, held, added } of twice) {
    const offer = offers.find((one) => one.sku === sku);
    if (offer) quantityInCart(offer, held, added);
  }
}

const readBoth = sql('save-cart-address.readBoth', { gives: { held: definite(quantity), added: definite(quantity) } })`
  select p.sku, count(distinct (coalesce(i.parent_product_id, 0), i.custom_options))::int as lines,
    coalesce(sum(i.qty) filter (where i.quote_id = $quoteId), 0) as held,
    coalesce(sum(i.qty) filter (where i.quote_id = $ownId), 0) as added
  from quote_item i join product p on p.entity_id = i.product_id
  where i.quote_id in ($quoteId, $ownId) group by p.sku`;

const lockOwn = sql('save-cart-address.lockOwn')`
  select quote_id from quote where customer_id = $customerId and website_id = $websiteId and is_active for update`;

const bringOver = sql('save-cart-address.bringOver')`
  with own as (
    select product_id, parent_product_id, choices, custom_options, qty from quote_item where quote_id = $ownId
  ), more as (
    update quote_item i set qty = i.qty + own.qty, updated_at = now()
    from own
    where i.quote_id = $quoteId and i.product_id = own.product_id
      and i.parent_product_id is not distinct from own.parent_product_id and i.custom_options = own.custom_options
    returning i.product_id, i.parent_product_id, i.custom_options
  )
  insert into quote_item (quote_id, product_id, parent_product_id, choices, custom_options, qty)
  select $quoteId, product_id, parent_product_id, choices, custom_options, qty from own
  where not exists (
    select from more
    where more.product_id = own.product_id and more.parent_product_id is not distinct from own.parent_product_id
      and more.custom_options = own.custom_options)`;

const dropOwn = sql('save-cart-address.dropOwn')`delete from quote where quote_id = $ownId`;

const give = sql('save-cart-address.give')`
  update quote set customer_id = $customerId, store_id = $storeId, masked_id = null, customer_email = null,
    updated_at = now()
  where quote_id = $quoteId`;
