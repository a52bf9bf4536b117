import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity, type PosError } from '../../../domain/errors.ts';
import type { Amount, Quantity } from '../../../domain/money.ts';
import type { CustomOption } from '../../../domain/platform/catalog/custom-options.ts';
import type { EnteredOption, StoredChoice } from '../../../domain/platform/catalog/entered-options.ts';
import { cartOfOtherStore, customerHasNoCart } from '../../../domain/refusals/sales.ts';
import { json, momentText, orNull, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { nameIn, statusOn, taxClassOn } from '../catalog/attribute-sql.ts';
import { linksKey } from '../catalog/configurable-products.ts';
import { type TierPrice } from '../catalog/product.entity.ts';
import { readCartAddresses, type CartAddress } from './read-offers.ts';

/** Names an active cart: a customer's by customer and website, a guest's by its masked id, any cart by its own id. */
export type CartKey = { customerId: number; websiteId: number } | { maskedId: string } | { quoteId: number };

/** A locked cart with its owner; a guest's cart has no customer. */
export interface LockedCart {
  quoteId: number;
  customerId: number | null;
  websiteId: number;
}

/** The platform's message for routes of a cart's parts. It never repeats a masked id, because that opens the cart. */
export function noActiveCart(key: CartKey): PosError {
  if ('customerId' in key) return customerHasNoCart();
  return noSuchEntity('cartId', 'quoteId' in key ? key.quoteId : null);
}

/** The message of the cart's own route (platform facts 11). */
export const noSuchCart = (key: CartKey) =>
  'customerId' in key ? noSuchEntity('customerId', key.customerId) : noActiveCart(key);

const columns = 'select quote_id, customer_id, website_id from quote';
const ownText = `${columns} where customer_id = $customerId and website_id = $websiteId and is_active`;
const maskedText = `${columns} where masked_id = $maskedId and is_active`;
const anyText = `${columns} where quote_id = $quoteId and is_active`;

const findOwn = sql('carts.findOwn')`${ownText}`;
const findMasked = sql('carts.findMasked')`${maskedText}`;
const findAny = sql('carts.findAny')`${anyText}`;
const lockOwn = sql('carts.lockOwn')`${ownText} for update`;
const lockMasked = sql('carts.lockMasked')`${maskedText} for update`;
const lockAny = sql('carts.lockAny')`${anyText} for update`;

/** The id of an active cart, if there is one. */
export async function findCartId(em: EntityManager, key: CartKey): Promise<number | undefined> {
  if ('customerId' in key) return (await findOwn.first(em, key))?.quoteId;
  return (await ('maskedId' in key ? findMasked.first(em, key) : findAny.first(em, key)))?.quoteId;
}

/**
 * Locks an active cart until the transaction ends; other changes and placements wait. Read the cart after this. A cart
 * is locked before everything else.
 *
 * Refused with: 404 no active cart, also when another call made it an order meanwhile.
 */
export async function lockCart(em: EntityManager, key: CartKey): Promise<LockedCart> {
  const cart = await lockRow(em, key);
  if (!cart) throw noActiveCart(key);
  return cart;
}

function lockRow(em: EntityManager, key: CartKey): Promise<LockedCart | undefined> {
  if ('customerId' in key) return lockOwn.first(em, key);
  return 'maskedId' in key ? lockMasked.first(em, key) : lockAny.first(em, key);
}

/** A cart with everything that was chosen for it, without figures. */
export interface Cart extends CartChoices {
  lines: readonly CartLine[];
  billing: CartAddress | undefined;
  shipping: CartAddress | undefined;
  /** True when nothing in it is shipped. */
  isVirtual: boolean;
}

export interface CartChoices {
  quoteId: number;
  /** Null for a guest's cart. */
  customerId: number | null;
  isActive: boolean;
  orderId: number | null;
  websiteId: number;
  storeId: number;
  couponCode: string | null;
  /** `carrier_method`. */
  shippingMethod: string | null;
  paymentMethod: string | null;
  poNumber: string | null;
  usesStoreCredit: boolean;
  /** The wallet's balance when the credit was applied, in base currency. */
  storeCreditSeen: Amount | null;
  createdAt: string;
  updatedAt: string;
  baseCurrencyCode: string;
  currencyCode: string;
  /** The value of one unit of the base currency in the cart's currency. */
  currencyRate: string;
  customer: CartCustomer;
}

/** The buyer. A guest has only an email, and belongs to the group of guests. */
export interface CartCustomer {
  groupId: number;
  /** Of the group; tax rules are for some of them. */
  taxClassId: number;
  storeId: number;
  email: string | null;
  firstname: string | null;
  lastname: string | null;
  middlename: string | null;
  prefix: string | null;
  suffix: string | null;
  dob: string | null;
  taxvat: string | null;
  gender: number | null;
}

/** A product as a cart's website sells it. */
interface Sold {
  productId: number;
  sku: string;
  name: string;
  typeId: string;
  isEnabled: boolean;
  isOnWebsite: boolean;
}

/** The configurable product of which a line's goods were chosen. */
export interface VariantOf extends Sold {
  /** Whether the goods are still among those to choose. */
  isVariant: boolean;
  choices: readonly StoredChoice[];
}

/**
 * A line with its goods: of a configurable product, the chosen simple one, which is priced, stocked and handed over.
 */
export interface CartLine extends Sold {
  itemId: number;
  qty: Quantity;
  variantOf: VariantOf | null;
  isVirtual: boolean;
  isQtyDecimal: boolean;
  weight: Quantity | null;
  taxClassId: number;
  /** The catalog's price, in base currency. */
  price: Amount;
  tiers: readonly TierPrice[];
  /** The custom options of the product, or of the configurable one. */
  options: readonly CustomOption[];
  entered: readonly EnteredOption[];
}

/** An active cart, locked until the transaction ends. Refused with: 404 none. */
export const readLockedCart = async (em: EntityManager, key: CartKey): Promise<Cart> =>
  readCart(em, (await lockCart(em, key)).quoteId);

/** Refused with: 404 a cart that no longer exists. */
export async function readCart(em: EntityManager, quoteId: number): Promise<Cart> {
  const choices = await readChoices.first(em, { quoteId });
  if (!choices) throw noActiveCart({ quoteId });
  const lines = (await readLines.all(em, { quoteId, websiteId: String(choices.websiteId) })).map(lineOf);
  const isVirtual = lines.length > 0 && lines.every((line) => line.isVirtual);
  return { ...choices, lines, isVirtual, ...(await readCartAddresses(em, quoteId)) };
}

const readChoices = sql('carts.readChoices', {
  gives: { createdAt: momentText, updatedAt: momentText, customer: definite(json<CartCustomer>()) },
})`
  select q.quote_id, q.customer_id, q.website_id, q.store_id, q.coupon_code, q.shipping_method, q.payment_method,
    q.po_number, q.uses_store_credit, q.store_credit_seen, q.is_active, q.order_id, q.created_at, q.updated_at,
    w.base_currency_code, v.currency_code, v.currency_rate,
    json_build_object('groupId', g.id, 'taxClassId', g.tax_class_id, 'storeId', coalesce(c.store_id, q.store_id),
      'email', coalesce(q.customer_email, c.email), 'firstname', coalesce(q.customer_firstname, c.firstname),
      'lastname', coalesce(q.customer_lastname, c.lastname),
      'middlename', coalesce(q.customer_middlename, c.middlename), 'prefix', c.prefix, 'suffix', c.suffix, 'dob',
        c.dob,
      'taxvat', c.taxvat, 'gender', c.gender) as customer
  from quote q
    join store_view v on v.store_id = q.store_id
    join website w on w.website_id = q.website_id
    left join customer c on c.id = q.customer_id
    join customer_group g on g.id = coalesce(c.group_id, 0)
  where q.quote_id = $quoteId`;

const readLines = sql('carts.readLines', {
  gives: {
    entered: json<EnteredOption[]>(),
    options: definite(json<CustomOption[]>()),
    variantOf: orNull(json<VariantOf>()),
  },
})`
  select i.item_id, i.qty, i.custom_options as entered, coalesce(v.options, p.options) as options,
    p.entity_id as product_id, p.sku, p.type_id, ${nameIn('p', 'q.store_id')} as name,
    ${statusOn('p', 'q.website_id')} as status, ${taxClassOn('p', 'q.website_id')} as tax_class_id,
    $websiteId::text = any(p.website_ids) as is_on_website, p.is_qty_decimal, p.weight, p.price, p.tier_prices,
    case when v.entity_id is not null then json_build_object('productId', v.entity_id, 'sku', v.sku,
      'name', ${nameIn('v', 'q.store_id')}, 'typeId', v.type_id, 'isEnabled', ${statusOn('v', 'q.website_id')} = 1,
      'isOnWebsite', $websiteId::text = any(v.website_ids), 'choices', i.choices,
      'isVariant', coalesce(v.extension_attributes -> '${linksKey}', '[]') @> to_jsonb(p.entity_id)) end as variant_of
  from quote_item i join quote q on q.quote_id = i.quote_id join product p on p.entity_id = i.product_id
    left join product v on v.entity_id = i.parent_product_id
  where i.quote_id = $quoteId order by i.item_id`;

const lineOf = ({ status, tierPrices: tiers, ...line }: RowFrom<typeof readLines>): CartLine => ({
  ...line,
  isEnabled: status === 1,
  isVirtual: line.typeId === 'virtual',
  tiers,
});

const open = sql('carts.open')`
  insert into quote (customer_id, website_id, store_id) values ($customerId, $websiteId, $storeId)
  on conflict (customer_id, website_id) where is_active do update set store_id = excluded.store_id, updated_at = now()
  returning quote_id`;

/**
 * Opens a cart for a customer in a store. An existing active cart is answered instead, and moves to that store and its
 * currency (platform facts 11). Safe to repeat, also many times at once: a customer has one active cart.
 *
 * @returns the cart's id
 */
export async function openCart(
  em: EntityManager,
  owner: { customerId: number; websiteId: number; storeId: number },
): Promise<number> {
  const row = await open.first(em, owner);
  if (!row) throw new Error('a cart was opened and is not there');
  return row.quoteId;
}

const openForGuest = sql('carts.openForGuest')`
  insert into quote (masked_id, website_id, store_id) values ($maskedId?, $websiteId, $storeId) returning quote_id`;

/**
 * Opens a cart without a customer. Each call opens another one.
 *
 * @param cart `maskedId`: the secret name by which a guest finds it; null: only its id finds it
 * @returns the cart's id
 */
export async function openGuestCart(
  em: EntityManager,
  cart: { maskedId: string | null; websiteId: number; storeId: number },
): Promise<number> {
  const row = await openForGuest.first(em, cart);
  if (!row) throw new Error('a cart was opened and is not there');
  return row.quoteId;
}

/** What a customer says about the own cart. What is absent or empty stays as it is. */
export interface CartWords {
  quoteId: number | undefined;
  storeId: number | undefined;
  email: string | undefined;
  firstname: string | undefined;
  middlename: string | undefined;
  lastname: string | undefined;
}

/**
 * Saves who buys, for this cart and its order only: the account keeps its own name and e-mail. Safe to repeat.
 *
 * Refused with: 404 no active cart, the id of another cart · 400 a store view of another website.
 */
export const saveCart = (em: EntityManager, key: CartKey, { quoteId, ...words }: CartWords): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await lockCart(tx, key);
    if (quoteId !== undefined && quoteId !== cart.quoteId) throw noActiveCart({ quoteId });
    const { storeId = null, email = null, firstname = null, middlename = null, lastname = null } = words;
    if (storeId !== null && !(await findView.first(tx, { storeId, websiteId: cart.websiteId }))?.isThere)
      throw cartOfOtherStore();
    await save.run(tx, { quoteId: cart.quoteId, storeId, email, firstname, middlename, lastname });
  });

const findView = sql('carts.findView')`
  select exists (select from store_view where store_id = $storeId and website_id = $websiteId) as is_there`;

const save = sql('carts.save')`
  update quote set store_id = coalesce($storeId?, store_id), customer_email = coalesce(nullif($email?, ''),
    customer_email),
    customer_firstname = coalesce(nullif($firstname?, ''), customer_firstname),
    customer_middlename = coalesce(nullif($middlename?, ''), customer_middlename),
    customer_lastname = coalesce(nullif($lastname?, ''), customer_lastname), updated_at = now()
  where quote_id = $quoteId`;
