import { z } from 'zod';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { toWire, type Amount } from '../../../domain/money/amount.ts';
import { ratedCart } from '../../../domain/platform/carts/rated-cart.ts';
import { givenInBase } from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';

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
const inOwn = (cart: PricedCart['cart'], base: Amount) => toWire(givenInBase(base, ratedCart(cart)).order);
