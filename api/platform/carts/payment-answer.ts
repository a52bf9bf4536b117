import { z } from 'zod';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { paymentMethods } from '../../../domain/platform/carts/shop-choices.ts';
import { renderTotals } from './render-totals.ts';
import { totalsAnswer } from './totals-answer.ts';

export const paymentMethodAnswer = z.object({ code: z.string(), title: z.string() });

/** The payment methods of a cart, and its totals. */
export const paymentAnswer = z.object({ payment_methods: z.array(paymentMethodAnswer), totals: totalsAnswer });

export const renderPaymentMethods = ({ settings, toPay }: PricedCart) => paymentMethods(settings, toPay.baseAmount);

export const renderPaymentInformation = (priced: PricedCart): z.input<typeof paymentAnswer> => ({
  payment_methods: renderPaymentMethods(priced),
  totals: renderTotals(priced),
});
