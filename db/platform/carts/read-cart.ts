import type { EntityManager } from '@mikro-orm/postgresql';
import { money, type Amount } from '../../../domain/money/amount.ts';
import { none, parseQuantity, type Quantity } from '../../../domain/money/quantity.ts';
import { query } from '../../support/query.ts';
import { nameIn, statusOn, taxClassOn } from '../catalog/attribute-sql.ts';
import type { TierPrice } from '../catalog/product.entity.ts';
import { noActiveCart } from './lock-cart.ts';
import { readCartAddresses, type CartAddress } from './read-cart-addresses.ts';

/** A cart with all that was chosen for it; figures are not among it. */
export interface Cart extends CartChoices {
  lines: readonly CartLine[];
  billing: CartAddress | undefined;
  shipping: CartAddress | undefined;
  /** Whether nothing in it has to be brought anywhere. */
  isVirtual: boolean;
}

export interface CartChoices {
  quoteId: number;
  customerId: number;
  websiteId: number;
  storeId: number;
  couponCode: string | null;
  /** `carrier_method`. */
  shippingMethod: string | null;
  paymentMethod: string | null;
  poNumber: string | null;
  usesStoreCredit: boolean;
  /** What was in the wallet when the credit was applied, in base currency. */
  storeCreditSeen: Amount | null;
  createdAt: string;
  updatedAt: string;
  baseCurrencyCode: string;
  currencyCode: string;
  /** One unit of the base currency in the cart's. */
  currencyRate: string;
  customer: CartCustomer;
}

export interface CartCustomer {
  groupId: number;
  storeId: number;
  email: string;
  firstname: string;
  lastname: string;
  middlename: string | null;
  prefix: string | null;
  suffix: string | null;
  dob: string | null;
  taxvat: string | null;
  gender: number | null;
}

export interface CartLine {
  itemId: number;
  qty: Quantity;
  productId: number;
  sku: string;
  name: string;
  typeId: string;
  isEnabled: boolean;
  isOnWebsite: boolean;
  isVirtual: boolean;
  isQtyDecimal: boolean;
  weight: Quantity | null;
  taxClassId: number;
  /** The catalog's, in base currency. */
  price: Amount;
  tiers: readonly TierPrice[];
}

/** Refused with: 404 a cart that is there no more. */
export async function readCart(em: EntityManager, quoteId: number): Promise<Cart> {
  const [row] = await query<ChoicesRow>(em, choicesText, [quoteId]);
  if (!row) throw noActiveCart();
  const lines = (await query<LineRow>(em, linesText, [quoteId, String(row.website_id)])).map(lineOf);
  const isVirtual = lines.length > 0 && lines.every((line) => line.isVirtual);
  return { ...choicesOf(row), lines, isVirtual, ...(await readCartAddresses(em, quoteId)) };
}

interface ChoicesRow {
  quote_id: number;
  customer_id: number;
  website_id: number;
  store_id: number;
  coupon_code: string | null;
  shipping_method: string | null;
  payment_method: string | null;
  po_number: string | null;
  uses_store_credit: boolean;
  store_credit_seen: string | null;
  created_at: string;
  updated_at: string;
  base_currency_code: string;
  currency_code: string;
  currency_rate: string;
  customer: CartCustomer;
}

const choicesText = `
select q.quote_id, q.customer_id, q.website_id, q.store_id, q.coupon_code, q.shipping_method, q.payment_method,
  q.po_number, q.uses_store_credit, q.store_credit_seen, q.created_at, q.updated_at,
  w.base_currency_code, v.currency_code, v.currency_rate,
  json_build_object('groupId', c.group_id, 'storeId', c.store_id, 'email', c.email, 'firstname', c.firstname,
    'lastname', c.lastname, 'middlename', c.middlename, 'prefix', c.prefix, 'suffix', c.suffix, 'dob', c.dob,
    'taxvat', c.taxvat, 'gender', c.gender) as customer
from quote q
  join store_view v on v.store_id = q.store_id
  join website w on w.website_id = q.website_id
  join customer c on c.id = q.customer_id
where q.quote_id = $1`;

const choicesOf = (row: ChoicesRow): CartChoices => ({
  quoteId: row.quote_id,
  customerId: row.customer_id,
  websiteId: row.website_id,
  storeId: row.store_id,
  couponCode: row.coupon_code,
  shippingMethod: row.shipping_method,
  paymentMethod: row.payment_method,
  poNumber: row.po_number,
  usesStoreCredit: row.uses_store_credit,
  storeCreditSeen: row.store_credit_seen === null ? null : money(row.store_credit_seen),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  baseCurrencyCode: row.base_currency_code,
  currencyCode: row.currency_code,
  currencyRate: row.currency_rate,
  customer: row.customer,
});

interface LineRow {
  item_id: number;
  qty: string;
  product_id: number;
  sku: string;
  name: string;
  type_id: string;
  status: number;
  is_on_website: boolean;
  is_qty_decimal: boolean;
  weight: string | null;
  tax_class_id: number;
  price: string;
  tier_prices: TierPrice[];
}

const linesText = `
select i.item_id, i.qty, p.entity_id as product_id, p.sku, p.type_id, ${nameIn('p', 'q.store_id')} as name,
  ${statusOn('p', 'q.website_id')} as status, ${taxClassOn('p', 'q.website_id')} as tax_class_id,
  $2::text = any(p.website_ids) as is_on_website, p.is_qty_decimal, p.weight, p.price, p.tier_prices
from quote_item i join quote q on q.quote_id = i.quote_id join product p on p.entity_id = i.product_id
where i.quote_id = $1 order by i.item_id`;

const lineOf = (row: LineRow): CartLine => ({
  itemId: row.item_id,
  qty: quantityOf(row.qty),
  productId: row.product_id,
  sku: row.sku,
  name: row.name,
  typeId: row.type_id,
  isEnabled: row.status === 1,
  isOnWebsite: row.is_on_website,
  isVirtual: row.type_id === 'virtual',
  isQtyDecimal: row.is_qty_decimal,
  weight: row.weight === null ? null : quantityOf(row.weight),
  taxClassId: row.tax_class_id,
  price: money(row.price),
  tiers: row.tier_prices,
});

const quantityOf = (text: string) => parseQuantity(text) ?? none;
