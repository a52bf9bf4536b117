import { z } from 'zod';
import { discountName } from '../../../db/platform/carts/order-of-cart.ts';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { productOptionOf, soldAs } from '../../../db/platform/carts/promote-cart.ts';
import type { WrittenLine } from '../../../db/platform/carts/put-in-cart.ts';
import {
  add,
  negate,
  none,
  plus,
  quantityToWire,
  subtract,
  toWire,
  unitsPerWhole,
  zero,
  type Amount,
} from '../../../domain/money.ts';
import type { CartFigures } from '../../../domain/platform/carts/cart-totals.ts';
import { appliedTaxes, fixedTaxSums, isSet, percentOff } from '../../../domain/platform/carts/shop-choices.ts';
import { shownOptions, type StoredChoice } from '../../../domain/platform/catalog/entered-options.ts';
import { cartAddressAnswer } from './cart-address.ts';

type Totals = z.input<typeof totalsAnswer>;

/** A priced cart with the platform's keys; discounts and credit are negative. */
export function renderTotals(priced: PricedCart): Totals {
  const { cart, base, own, couponCode, toPay } = priced;
  const [inSubtotal, baseInSubtotal] = [fixedInSubtotal(priced, own), fixedInSubtotal(priced, base)];
  return {
    grand_total: toWire(own.grandTotal),
    base_grand_total: toWire(base.grandTotal),
    subtotal: toWire(add(own.subtotal, inSubtotal)),
    base_subtotal: toWire(add(base.subtotal, baseInSubtotal)),
    discount_amount: toWire(negate(own.discountAmount)),
    base_discount_amount: toWire(negate(base.discountAmount)),
    subtotal_with_discount: toWire(subtract(add(own.subtotal, inSubtotal), own.discountAmount)),
    base_subtotal_with_discount: toWire(subtract(add(base.subtotal, baseInSubtotal), base.discountAmount)),
    shipping_amount: toWire(own.shippingAmount),
    base_shipping_amount: toWire(base.shippingAmount),
    shipping_discount_amount: toWire(own.shippingDiscountAmount),
    base_shipping_discount_amount: toWire(base.shippingDiscountAmount),
    tax_amount: toWire(own.taxAmount),
    base_tax_amount: toWire(base.taxAmount),
    weee_tax_applied_amount: toWire(own.fixedTaxAmount),
    shipping_tax_amount: 0,
    base_shipping_tax_amount: 0,
    subtotal_incl_tax: toWire(add(own.subtotalInclTax, inSubtotal)),
    base_subtotal_incl_tax: toWire(add(base.subtotalInclTax, baseInSubtotal)),
    shipping_incl_tax: toWire(own.shippingAmount),
    base_shipping_incl_tax: toWire(base.shippingAmount),
    base_currency_code: cart.baseCurrencyCode,
    quote_currency_code: cart.currencyCode,
    ...(couponCode === undefined ? {} : { coupon_code: couponCode }),
    items_qty: quantityToWire(plus(none, ...cart.lines.map((line) => line.qty))),
    items: itemsOf(priced),
    total_segments: segmentsOf(priced),
    extension_attributes: {
      amount_to_pay: toWire(toPay.amount),
      base_amount_to_pay: toWire(toPay.baseAmount),
    },
  };
}

/** Fixed taxes count as goods where the shop shows them so; orders keep them apart in every case. */
const fixedInSubtotal = ({ settings }: PricedCart, { fixedTaxAmount }: CartFigures): Amount =>
  isSet(settings['tax/weee/include_in_subtotal']) ? fixedTaxAmount : zero;

const itemsOf = ({ cart, base, own, taxRates, promotions }: PricedCart): Totals['items'] =>
  cart.lines.flatMap((line, at) => {
    const [inBase, inOwn] = [base.lines[at], own.lines[at]];
    if (!inBase || !inOwn) return [];
    return [
      {
        item_id: line.itemId,
        price: toWire(inOwn.price),
        base_price: toWire(inBase.price),
        qty: quantityToWire(line.qty),
        row_total: toWire(inOwn.rowTotal),
        base_row_total: toWire(inBase.rowTotal),
        row_total_with_discount: toWire(subtract(inOwn.rowTotal, inOwn.discountAmount)),
        tax_amount: toWire(inOwn.taxAmount),
        base_tax_amount: toWire(inBase.taxAmount),
        tax_percent: (taxRates[at]?.percent ?? 0) / unitsPerWhole,
        discount_amount: toWire(inOwn.discountAmount),
        base_discount_amount: toWire(inBase.discountAmount),
        discount_percent: toWire(percentOff(promotions, inBase.ruleIds)),
        price_incl_tax: toWire(inOwn.priceInclTax),
        base_price_incl_tax: toWire(inBase.priceInclTax),
        row_total_incl_tax: toWire(inOwn.rowTotalInclTax),
        base_row_total_incl_tax: toWire(inBase.rowTotalInclTax),
        weee_tax_applied_amount: toWire(fixedTaxSums(inOwn.fixedTaxes).amount),
        weee_tax_applied: appliedTaxes(inBase.fixedTaxes, inOwn.fixedTaxes),
        options: JSON.stringify([...(line.variantOf?.choices.map(shownChoice) ?? []), ...shownOptions(line)]),
        name: soldAs(line).name,
      },
    ];
  });

/** The platform's values have no names here: a value is shown by its id. */
const shownChoice = ({ label, optionValue }: StoredChoice) => ({ label, value: String(optionValue) });

/** In the order of addition; payments come after the amounts they pay. */
function segmentsOf(priced: PricedCart): Totals['total_segments'] {
  const { own, rate, tenders } = priced;
  const name = discountName(priced);
  const inSubtotal = fixedInSubtotal(priced, own);
  const apart = subtract(own.fixedTaxAmount, inSubtotal);
  return [
    { code: 'subtotal', title: 'Subtotal', value: toWire(add(own.subtotal, inSubtotal)) },
    {
      code: 'shipping',
      title: rate ? `Shipping & Handling (${rate.carrierTitle} - ${rate.methodTitle})` : 'Shipping & Handling',
      value: toWire(own.shippingAmount),
    },
    ...(own.discountAmount === zero
      ? []
      : [
          {
            code: 'discount',
            title: name === undefined ? 'Discount' : `Discount (${name})`,
            value: toWire(negate(own.discountAmount)),
          },
        ]),
    ...(apart === zero ? [] : [{ code: 'weee_tax', title: 'FPT', value: toWire(apart) }]),
    { code: 'tax', title: 'Tax', value: toWire(own.taxAmount), area: 'taxes' },
    { code: 'grand_total', title: 'Grand Total', value: toWire(own.grandTotal), area: 'footer' },
    ...tenders.map(({ tender: { code, title, amount } }) => ({ code, title, value: toWire(negate(amount)) })),
  ];
}

const segment = z.object({ code: z.string(), title: z.string(), value: z.number(), area: z.string().optional() });

const totalsItem = z.object({
  item_id: z.int(),
  price: z.number(),
  base_price: z.number(),
  qty: z.number(),
  row_total: z.number(),
  base_row_total: z.number(),
  row_total_with_discount: z.number(),
  tax_amount: z.number(),
  base_tax_amount: z.number(),
  tax_percent: z.number(),
  discount_amount: z.number(),
  base_discount_amount: z.number(),
  discount_percent: z.number(),
  price_incl_tax: z.number(),
  base_price_incl_tax: z.number(),
  row_total_incl_tax: z.number(),
  base_row_total_incl_tax: z.number(),
  /** Of one piece. */
  weee_tax_applied_amount: z.number(),
  /** A JSON text. */
  weee_tax_applied: z.string(),
  options: z.string(),
  name: z.string(),
});

/**
 * The totals of a cart (platform facts 11). Store credit is a separate, negative segment. The grand total stays the
 * full price, and `amount_to_pay` is the rest after the credit (our choice).
 */
export const totalsAnswer = z
  .object({
    grand_total: z.number(),
    base_grand_total: z.number(),
    subtotal: z.number(),
    base_subtotal: z.number(),
    discount_amount: z.number(),
    base_discount_amount: z.number(),
    subtotal_with_discount: z.number(),
    base_subtotal_with_discount: z.number(),
    shipping_amount: z.number(),
    base_shipping_amount: z.number(),
    shipping_discount_amount: z.number(),
    base_shipping_discount_amount: z.number(),
    tax_amount: z.number(),
    base_tax_amount: z.number(),
    weee_tax_applied_amount: z.number(),
    shipping_tax_amount: z.number(),
    base_shipping_tax_amount: z.number(),
    subtotal_incl_tax: z.number(),
    base_subtotal_incl_tax: z.number(),
    shipping_incl_tax: z.number(),
    base_shipping_incl_tax: z.number(),
    base_currency_code: z.string(),
    quote_currency_code: z.string(),
    coupon_code: z.string().optional(),
    items_qty: z.number(),
    items: z.array(totalsItem),
    total_segments: z.array(segment),
    extension_attributes: z.object({ amount_to_pay: z.number(), base_amount_to_pay: z.number() }),
  })
  .meta({ id: 'CartTotals' });

const productOptionAnswer = z
  .object({
    extension_attributes: z.object({
      custom_options: z.array(z.object({ option_id: z.string(), option_value: z.string() })).optional(),
      configurable_item_options: z.array(z.object({ option_id: z.string(), option_value: z.int() })).optional(),
    }),
  })
  .meta({ id: 'ProductOption' });

/** A line of a cart; the price is of one piece, without tax, in the cart's currency. The cart's id is a text here. */
export const cartItemAnswer = z
  .object({
    item_id: z.int(),
    sku: z.string(),
    qty: z.number(),
    name: z.string(),
    price: z.number(),
    product_type: z.string(),
    quote_id: z.string(),
    product_option: productOptionAnswer.optional(),
  })
  .meta({ id: 'CartItem' });

export const renderCartItems = ({ cart, own }: PricedCart): z.input<typeof cartItemAnswer>[] =>
  cart.lines.map((line, at) => {
    const { sku, name, typeId } = soldAs(line);
    const productOption = productOptionOf(line);
    return {
      item_id: line.itemId,
      sku,
      qty: quantityToWire(line.qty),
      name,
      price: toWire(own.lines[at]?.price ?? line.price),
      product_type: typeId,
      quote_id: String(cart.quoteId),
      ...(productOption ? { product_option: productOption } : {}),
    };
  });

export function renderCartItem({ itemId, priced }: WrittenLine): z.input<typeof cartItemAnswer> {
  const item = renderCartItems(priced).find((one) => one.item_id === itemId);
  if (!item) throw new Error('a line was written into a cart and is not there');
  return item;
}

/** A cart (platform facts 11); of a guest only the e-mail is known, and perhaps not yet. */
export const cartAnswer = z
  .object({
    id: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    is_active: z.boolean(),
    is_virtual: z.boolean(),
    items: z.array(cartItemAnswer),
    items_count: z.int(),
    items_qty: z.number(),
    customer: z.object({
      id: z.int().optional(),
      group_id: z.int(),
      email: z.string().nullable(),
      firstname: z.string().nullable(),
      middlename: z.string().optional(),
      lastname: z.string().nullable(),
      store_id: z.int(),
      website_id: z.int(),
    }),
    billing_address: cartAddressAnswer,
    orig_order_id: z.int(),
    currency: z.object({
      global_currency_code: z.string(),
      base_currency_code: z.string(),
      store_currency_code: z.string(),
      quote_currency_code: z.string(),
      store_to_base_rate: z.number(),
      store_to_quote_rate: z.number(),
      base_to_global_rate: z.number(),
      base_to_quote_rate: z.number(),
    }),
    customer_is_guest: z.boolean(),
    customer_note_notify: z.boolean(),
    customer_tax_class_id: z.int(),
    store_id: z.int(),
    extension_attributes: z.object({
      shipping_assignments: z.array(
        z.object({
          shipping: z.object({ address: cartAddressAnswer, method: z.string().nullable() }),
          items: z.array(cartItemAnswer),
        }),
      ),
    }),
  })
  .meta({ id: 'Cart' });
