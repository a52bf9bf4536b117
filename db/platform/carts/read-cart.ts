import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../../domain/money/amount.ts';
import type { Quantity } from '../../../domain/money/quantity.ts';
import type { KeptChoice } from '../../../domain/platform/catalog/chosen-options.ts';
import type { CustomOption } from '../../../domain/platform/catalog/custom-option.ts';
import type { EnteredOption } from '../../../domain/platform/catalog/entered-options.ts';
import { decimal, flag, integer, json, momentText, orNull, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { nameIn, statusOn, taxClassOn } from '../catalog/attribute-sql.ts';
import { linksKey } from '../catalog/configurable-products.ts';
import { Product, type TierPrice } from '../catalog/product.entity.ts';
import { lockCart, noActiveCart, type CartKey } from './lock-cart.ts';
import { Quote, QuoteItem } from './quote.entity.ts';
import { readCartAddresses, type CartAddress } from './read-cart-addresses.ts';

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
  choices: readonly KeptChoice[];
}

/** A line with its goods: of a configurable product, the chosen simple one, which is priced, stocked and handed over. */
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

const readChoices = statement({
  takes: { quoteId: integer },
  gives: {
    ...of(Quote, 'quoteId', 'customerId', 'websiteId', 'storeId', 'couponCode', 'shippingMethod', 'paymentMethod'),
    ...of(Quote, 'poNumber', 'usesStoreCredit', 'storeCreditSeen', 'isActive', 'orderId'),
    createdAt: momentText,
    updatedAt: momentText,
    baseCurrencyCode: text,
    currencyCode: text,
    currencyRate: decimal,
    customer: surely(json<CartCustomer>()),
  },
  text: `
    select q.quote_id, q.customer_id, q.website_id, q.store_id, q.coupon_code, q.shipping_method, q.payment_method,
      q.po_number, q.uses_store_credit, q.store_credit_seen, q.is_active, q.order_id, q.created_at, q.updated_at,
      w.base_currency_code, v.currency_code, v.currency_rate,
      json_build_object('groupId', g.id, 'taxClassId', g.tax_class_id, 'storeId', coalesce(c.store_id, q.store_id),
        'email', coalesce(q.customer_email, c.email), 'firstname', coalesce(q.customer_firstname, c.firstname),
        'lastname', coalesce(q.customer_lastname, c.lastname),
        'middlename', coalesce(q.customer_middlename, c.middlename), 'prefix', c.prefix, 'suffix', c.suffix, 'dob', c.dob,
        'taxvat', c.taxvat, 'gender', c.gender) as customer
    from quote q
      join store_view v on v.store_id = q.store_id
      join website w on w.website_id = q.website_id
      left join customer c on c.id = q.customer_id
      join customer_group g on g.id = coalesce(c.group_id, 0)
    where q.quote_id = $quoteId`,
});

const readLines = statement({
  takes: { quoteId: integer, websiteId: text },
  gives: {
    ...of(QuoteItem, 'itemId', 'qty'),
    entered: json<EnteredOption[]>(),
    options: surely(json<CustomOption[]>()),
    productId: integer,
    ...of(Product, 'sku', 'typeId', 'isQtyDecimal', 'weight', 'price', 'tierPrices'),
    // The name of the store view or website, where it has its own.
    name: surely(text),
    status: surely(integer),
    taxClassId: surely(integer),
    isOnWebsite: surely(flag),
    variantOf: orNull(json<VariantOf>()),
  },
  text: `
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
    where i.quote_id = $quoteId order by i.item_id`,
});

const lineOf = ({ status, tierPrices: tiers, ...line }: RowFrom<typeof readLines>): CartLine => ({
  ...line,
  isEnabled: status === 1,
  isVirtual: line.typeId === 'virtual',
  tiers,
});
