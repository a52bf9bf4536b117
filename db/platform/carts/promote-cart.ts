import type { EntityManager } from '@mikro-orm/postgresql';
import { none, plus, quantityToWire, toPlain, zero, type Amount } from '../../../domain/money.ts';
import type { CartFigures } from '../../../domain/platform/carts/cart-totals.ts';
import { optionsChosen, skuWithOptions, type EnteredOption } from '../../../domain/platform/catalog/entered-options.ts';
import {
  holdsForCart,
  holdsForLine,
  type CartFacts,
  type Condition,
  type Fact,
  type LineFacts,
} from '../../../domain/platform/sales-rules/condition-tree.ts';
import type { Promotion } from '../../../domain/platform/sales-rules/promotion.ts';
import { json, definite, texts } from '../../support/entity-columns.ts';

import { sql } from '../../support/sql.ts';
import type { PostedOrder } from '../orders/posted-order.ts';
import { readPromotions, type OpenPromotion } from '../sales-rules/read-promotions.ts';
import type { Cart, CartChoices, CartLine } from './carts.ts';

/**
 * A line by the name and type under which it is sold: those of the configurable product, where there is one. The SKU is
 * that of the goods, followed by those of the options: stock goes by the first alone.
 */
export const soldAs = ({ variantOf, name, typeId, ...line }: CartLine) => ({
  name: variantOf?.name ?? name,
  typeId: variantOf?.typeId ?? typeId,
  sku: skuWithOptions(line.sku, line),
});

/** What was chosen and entered for a line, under the wire names; undefined: nothing. */
export const productOptionOf = ({ variantOf, entered }: CartLine) =>
  variantOf || entered.length > 0
    ? {
        extension_attributes: {
          ...(entered.length > 0 ? { custom_options: entered.map(optionEntered) } : {}),
          ...(variantOf ? optionsChosen(variantOf.choices) : {}),
        },
      }
    : undefined;

const optionEntered = ({ optionId, optionValue }: EnteredOption) => ({
  option_id: String(optionId),
  option_value: optionValue,
});

/** A promotion whose conditions hold for a cart; money is in base currency. */
export interface CartPromotion extends Promotion {
  couponCode: string | null;
  /** `0`, `1`: its goods are shipped free, `2`: the cart is. */
  freeShipping: OpenPromotion['simpleFreeShipping'];
  /** For people: of the cart's store view, else of all. */
  label: string | undefined;
}

/**
 * The promotions that hold for a cart, each with the lines that it is for, in their order (platform facts 9.4).
 *
 * @param full the cart's figures in base currency before any discount
 * @param isBinding as of `readPromotions`
 */
export async function promotionsOf(
  em: EntityManager,
  cart: Cart,
  { full, now, isBinding }: { full: CartFigures; now: Date; isBinding: boolean },
): Promise<CartPromotion[]> {
  if (cart.lines.length === 0) return [];
  const { couponCode: code, websiteId, customerId } = cart;
  const buyer = { code, websiteId, customerId, groupId: cart.customer.groupId, now };
  const open = await readPromotions(em, buyer, { isBinding });
  const goods = open.some(asksForGoods) ? await readGoods(em, cart) : new Map<number, Goods>();
  const facts = factsOf(cart, full, goods);
  return open
    .filter(({ condition }) => holdsForCart(condition, facts))
    .map((one) => ({
      ...termsOf(one, cart.storeId),
      lines: facts.lines.map((line) => holdsForLine(one.actionCondition, line)),
    }));
}

const termsOf = (one: OpenPromotion, storeId: number) => ({
  ruleId: one.ruleId,
  action: one.simpleAction,
  amount: one.discountAmount,
  mostQty: one.discountQty,
  step: one.discountStep,
  appliesToShipping: one.applyToShipping,
  stops: one.stopRulesProcessing,
  couponCode: one.couponCode,
  freeShipping: one.simpleFreeShipping,
  label: [storeId, 0].flatMap((id) => one.storeLabels.find((label) => label.storeId === id)?.label || [])[0],
});

const asksForGoods = ({ condition, actionCondition }: OpenPromotion) =>
  [condition, actionCondition].some((tree) => tree.conditions.some(isOfGoods));

const isOfGoods = (one: Condition): boolean => one.kind === 'Product' || one.conditions.some(isOfGoods);

interface Goods {
  categoryIds: readonly string[];
  attributeSetId: number;
  customAttributes: Record<string, unknown>;
}

const selectCart = sql('promote-cart.selectCart', {
  gives: { categoryIds: definite(texts), customAttributes: definite(json<Record<string, unknown>>()) },
})`
  select entity_id as product_id, attribute_set_id, category_ids, custom_attributes from product
  where entity_id = any($productIds::bigint[])`;

async function readGoods(em: EntityManager, { lines }: Cart): Promise<Map<number, Goods>> {
  const productIds = lines.flatMap(({ productId, variantOf }) => [
    productId,
    ...(variantOf ? [variantOf.productId] : []),
  ]);
  const rows = await selectCart.all(em, { productIds });
  return new Map(rows.map(({ productId, ...goods }) => [productId, goods]));
}

/** A chosen product is in the categories of the configurable one too, and has its attributes, its own before them. */
function goodsOf({ productId, variantOf }: CartLine, goods: ReadonlyMap<number, Goods>): Goods | undefined {
  const own = goods.get(productId);
  const parent = variantOf && goods.get(variantOf.productId);
  if (!own || !parent) return own;
  return {
    categoryIds: [...new Set([...own.categoryIds, ...parent.categoryIds])],
    attributeSetId: own.attributeSetId,
    customAttributes: { ...parent.customAttributes, ...own.customAttributes },
  };
}

function factsOf(cart: Cart, full: CartFigures, goods: ReadonlyMap<number, Goods>): CartFacts {
  const address = cart.isVirtual ? cart.billing : (cart.shipping ?? cart.billing);
  const known: Record<string, string | null | undefined> = {
    base_subtotal: toPlain(full.subtotal),
    base_subtotal_with_discount: toPlain(full.subtotal),
    base_subtotal_total_incl_tax: toPlain(full.subtotalInclTax),
    total_qty: String(quantityToWire(plus(none, ...cart.lines.map(({ qty }) => qty)))),
    weight: String(
      cart.lines.reduce((sum, { weight, qty }) => sum + quantityToWire(weight ?? none) * quantityToWire(qty), 0),
    ),
    payment_method: cart.paymentMethod,
    shipping_method: cart.shippingMethod,
    postcode: address?.postcode,
    region: address?.region,
    region_id: address?.regionId?.toString(),
    country_id: address?.countryId,
  };
  return {
    cart: Object.fromEntries(Object.entries(known).flatMap(([key, value]) => (value ? [[key, value]] : []))),
    lines: cart.lines.map((line, at) => lineFacts(line, full.lines[at], goodsOf(line, goods))),
  };
}

function lineFacts(
  line: CartLine,
  figures: { price: Amount; rowTotal: Amount } | undefined,
  goods: Goods | undefined,
): LineFacts {
  const own: Record<string, Fact> = {
    quote_item_price: figures && toPlain(figures.price),
    quote_item_qty: String(quantityToWire(line.qty)),
    quote_item_row_total: figures && toPlain(figures.rowTotal),
    sku: line.sku,
    name: soldAs(line).name,
    type_id: soldAs(line).typeId,
    price: toPlain(line.price),
    tax_class_id: String(line.taxClassId),
    weight: line.weight === null ? undefined : String(quantityToWire(line.weight)),
    attribute_set_id: goods && String(goods.attributeSetId),
    category_ids: goods?.categoryIds,
  };
  return {
    of: (attribute) => (Object.hasOwn(own, attribute) ? own[attribute] : factOf(goods?.customAttributes, attribute)),
    qty: line.qty,
    baseRowTotal: figures?.rowTotal ?? zero,
  };
}

function factOf(attributes: Record<string, unknown> | undefined, attribute: string): Fact {
  if (!attributes || !Object.hasOwn(attributes, attribute)) return undefined;
  const value = attributes[attribute];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** The total of a cart, or what is left of it, in both currencies. */
export interface CartDue {
  baseAmount: Amount;
  amount: Amount;
}

/** Something that pays a part of a cart. It is a segment of the cart's totals; here its amount is positive. */
export interface CartTender extends CartDue {
  code: string;
  title: string;
}

/**
 * A source of such tenders. The platform knows only the list of them; the wiring fills it.
 *
 * `preview` only reads. `take` runs in the placement's transaction with the cart locked, and locks what it needs. It
 * refuses with 400 when it can no longer pay what `preview` answered. `carry` adds what was taken to the placed order.
 */
export interface CartTenderSource {
  preview(em: EntityManager, cart: CartChoices, due: CartDue): Promise<CartTender | undefined>;
  take(em: EntityManager, cart: CartChoices, due: CartDue): Promise<CartTender | undefined>;
  carry(posted: PostedOrder, tender: CartTender): PostedOrder;
}
