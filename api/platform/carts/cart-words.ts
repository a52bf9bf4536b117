import { z } from 'zod';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { toWire, type Amount } from '../../../domain/money.ts';
import { ratedCart } from '../../../domain/platform/carts/shop-choices.ts';
import { postedInBase } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import {
  productHasRequiredOptions,
  requestedProductMissing,
  someOptionsNotAvailable,
} from '../../../domain/refusals/catalog.ts';
import {
  cartWorthTooMuch,
  itemOptionsRequired,
  productNotAvailable,
  requestedQtyNotAvailable,
} from '../../../domain/refusals/sales.ts';
import type { Outcome } from '../../http/route.ts';
import { invalidField, requiredField } from '../../wire/outcomes.ts';
import type { cartAnswer, cartItemAnswer, totalsAnswer } from './render-totals.ts';
import type { cartAddressAnswer } from './cart-address.ts';

/** What routes of carts say of the custom options of a line. */

/** What is to stand on the mug: the option 7 of the product. */
export const exampleEngraving = {
  extension_attributes: { custom_options: [{ option_id: '7', option_value: 'For Ada' }] },
};

export const exampleEngraved: z.input<typeof cartItemAnswer> = {
  ...{ item_id: 5, sku: 'MUG-BLUE-ENGR', qty: 1, name: 'Blue mug', price: 17.5, product_type: 'simple', quote_id: '7' },
  product_option: exampleEngraving,
};

/** Why a line's custom options are not those of its product any more. */
export const changedOptions: readonly Outcome[] = [
  someOptionsNotAvailable.because(
    'A custom option of a line, or its value, was taken off the product, or is not taken so any more.',
    'Change the line, or take it out.',
  ),
  productHasRequiredOptions,
];

/** Why a product cannot be put into a cart with these custom options. */
const wrongOptions: readonly Outcome[] = [
  {
    status: 400,
    message: "The product's required option(s) weren't entered. Make sure the options are entered and try again.",
    when: 'A custom option that must be entered has no value. Several faults of options are a line of the message each.',
  },
  someOptionsNotAvailable.because(
    'The product has no such custom option, or the option no such value; or one is sent twice.',
  ),
  {
    status: 400,
    message: 'The text is too long. Shorten the text and try again.',
    when: 'It has more characters than `max_characters` of the option.',
  },
  {
    status: 400,
    message: 'Please specify date required option(s).',
    when: 'What was sent for a date is no day. Send `2026-12-24 00:00:00`.',
  },
  {
    status: 400,
    message: 'Please specify time required option(s).',
    when: 'What was sent for a time, or for a date with a time, has none. Send `18:30:00`.',
  },
  {
    status: 400,
    message: 'A cart cannot keep a file. Send the line without it.',
    when: 'Something was sent for an option of the type `file`.',
    then: 'Place the order with the option in its line.',
  },
];

/** Texts that several routes of carts use. */

export const exampleItem: z.input<typeof cartItemAnswer> = {
  ...{ item_id: 3, sku: 'MUG-BLUE', qty: 2, name: 'Blue mug', price: 12.5, product_type: 'simple', quote_id: '7' },
};

/** The value 5 of the attribute 93: blue. */
export const exampleChoice = {
  extension_attributes: { configurable_item_options: [{ option_id: '93', option_value: 5 }] },
};

export const exampleVariant: z.input<typeof cartItemAnswer> = {
  ...{ item_id: 4, sku: 'SHIRT-BLUE', qty: 1, name: 'Shirt', price: 30, product_type: 'configurable', quote_id: '7' },
  product_option: exampleChoice,
};

export const exampleCartAddress: z.input<typeof cartAddressAnswer> = {
  ...{ id: 5, region: 'New York', region_id: 43, region_code: 'NY', country_id: 'US', street: ['8 Ferry Street'] },
  ...{ telephone: '555-0100', postcode: '12180', city: 'Troy', firstname: 'Ann', lastname: 'Lee' },
  ...{ email: 'ann@example.com', customer_id: 1, same_as_billing: 1, save_in_address_book: 0 },
};

/** An address as it is sent. */
export const sentAddress = {
  ...{ firstname: 'Ann', lastname: 'Lee', street: ['8 Ferry Street'], city: 'Troy', region_id: 43 },
  ...{ postcode: '12180', country_id: 'US', telephone: '555-0100' },
};

export const exampleMethod: z.input<typeof shippingMethodAnswer> = {
  ...{ carrier_code: 'flatrate', method_code: 'flatrate', carrier_title: 'Flat Rate', method_title: 'Fixed' },
  ...{ amount: 10, base_amount: 10, available: true, error_message: '', price_excl_tax: 10, price_incl_tax: 10 },
};

export const examplePayments = [{ code: 'checkmo', title: 'Check / Money order' }];

export const exampleTotals: z.input<typeof totalsAnswer> = {
  ...{ grand_total: 37, base_grand_total: 37, subtotal: 25, base_subtotal: 25, discount_amount: 0 },
  ...{ base_discount_amount: 0, subtotal_with_discount: 25, base_subtotal_with_discount: 25, shipping_amount: 10 },
  ...{ base_shipping_amount: 10, shipping_discount_amount: 0, base_shipping_discount_amount: 0, tax_amount: 2 },
  ...{ base_tax_amount: 2, weee_tax_applied_amount: 0, shipping_tax_amount: 0, base_shipping_tax_amount: 0 },
  ...{ subtotal_incl_tax: 27, base_subtotal_incl_tax: 27, shipping_incl_tax: 10, base_shipping_incl_tax: 10 },
  ...{ base_currency_code: 'USD', quote_currency_code: 'USD', items_qty: 2 },
  items: [
    {
      ...{ item_id: 3, price: 12.5, base_price: 12.5, qty: 2, row_total: 25, base_row_total: 25 },
      ...{ row_total_with_discount: 25, tax_amount: 2, base_tax_amount: 2, tax_percent: 8, discount_amount: 0 },
      ...{ base_discount_amount: 0, discount_percent: 0, price_incl_tax: 13.5, base_price_incl_tax: 13.5 },
      ...{ row_total_incl_tax: 27, base_row_total_incl_tax: 27, weee_tax_applied_amount: 0, weee_tax_applied: '[]' },
      ...{ options: '[]', name: 'Blue mug' },
    },
  ],
  total_segments: [
    { code: 'subtotal', title: 'Subtotal', value: 25 },
    { code: 'shipping', title: 'Shipping & Handling (Flat Rate - Fixed)', value: 10 },
    { code: 'tax', title: 'Tax', value: 2, area: 'taxes' },
    { code: 'grand_total', title: 'Grand Total', value: 37, area: 'footer' },
  ],
  extension_attributes: { amount_to_pay: 37, base_amount_to_pay: 37 },
};

export const exampleCart: z.input<typeof cartAnswer> = {
  ...{ id: 7, created_at: '2026-11-21 09:00:00', updated_at: '2026-11-21 09:05:00', is_active: true },
  ...{ is_virtual: false, items: [exampleItem], items_count: 1, items_qty: 2 },
  customer: {
    ...{ id: 1, group_id: 1, email: 'ann@example.com', firstname: 'Ann', lastname: 'Lee', store_id: 1, website_id: 1 },
  },
  ...{ billing_address: exampleCartAddress, orig_order_id: 0 },
  currency: {
    ...{ global_currency_code: 'USD', base_currency_code: 'USD', store_currency_code: 'USD' },
    ...{ quote_currency_code: 'USD', store_to_base_rate: 1, store_to_quote_rate: 1, base_to_global_rate: 1 },
    base_to_quote_rate: 1,
  },
  ...{ customer_is_guest: false, customer_note_notify: true, customer_tax_class_id: 3, store_id: 1 },
  extension_attributes: {
    shipping_assignments: [
      { shipping: { address: exampleCartAddress, method: 'flatrate_flatrate' }, items: [exampleItem] },
    ],
  },
};

export const badAddress: Outcome = requiredField(
  'The address lacks what its country asks for; several faults are answered together, in `errors`.',
);

/** A quantity that the rules of the product, or of the shop, forbid. */
export const againstRules: readonly Outcome[] = [
  {
    status: 400,
    message: 'The fewest you may purchase is %1.',
    when: "There would be fewer than the product's `min_sale_qty`.",
  },
  {
    status: 400,
    message: 'The requested qty exceeds the maximum qty allowed in shopping cart',
    when: "There would be more than the product's `max_sale_qty`.",
  },
  {
    status: 400,
    message: 'You can buy this product only in quantities of %1 at a time.',
    when: 'The product is sold in steps, and so many are between two of them: `qty_increments`.',
  },
  {
    status: 400,
    message: 'You cannot use decimal quantity for this product.',
    when: 'It is sold in whole pieces.',
  },
];

/** Why a product of a cart cannot be bought, or not any more. */
export const notForSale: readonly Outcome[] = [
  productNotAvailable,
  itemOptionsRequired,
  requestedQtyNotAvailable.because('The shop may not promise so many.', 'Ask for fewer, or choose another product.'),
  ...againstRules,
  cartWorthTooMuch,
];

/** Why a product cannot be in a cart, or not in this quantity. */
export const notToBeHad: readonly Outcome[] = [
  ...notForSale,
  invalidField('The quantity is 0 or below.'),
  {
    status: 400,
    message: 'A cart cannot keep the %fieldName of a product. Send the line without them.',
    when: '`product_option` has options of a bundle, a download or a gift card. Empty ones are taken.',
    then: 'Send the line without them, or place the order with the options in its lines.',
  },
  ...wrongOptions,
];

/** A sku that no product has, where a product is put into a cart. */
export const unknownSku: Outcome = requestedProductMissing.because('There is no product of this sku.');

/** A way to ship a cart; shipping carries no tax. */
export const shippingMethodAnswer = z
  .object({
    carrier_code: z.string(),
    method_code: z.string(),
    carrier_title: z.string(),
    method_title: z.string(),
    amount: z.number(),
    base_amount: z.number(),
    available: z.boolean(),
    error_message: z.string(),
    price_excl_tax: z.number(),
    price_incl_tax: z.number(),
  })
  .meta({ id: 'ShippingMethod' });

export const renderShippingMethods = ({ cart, rates }: PricedCart): z.input<typeof shippingMethodAnswer>[] =>
  rates.map((rate) => {
    const amount = inOwn(cart, rate.baseAmount);
    return {
      carrier_code: rate.carrierCode,
      method_code: rate.methodCode,
      carrier_title: rate.carrierTitle,
      method_title: rate.methodTitle,
      amount,
      base_amount: toWire(rate.baseAmount),
      available: true,
      error_message: '',
      price_excl_tax: amount,
      price_incl_tax: amount,
    };
  });

/** The amount that will be charged. */
const inOwn = (cart: PricedCart['cart'], base: Amount) => toWire(postedInBase(base, ratedCart(cart)).order);
