import type { AnyRoute } from '../../http/route.ts';
import { addCartItem } from './add-cart-item.ts';
import type { CartWiring } from './cart-wiring.ts';
import { createCart } from './create-cart.ts';
import { deleteCartItem } from './delete-cart-item.ts';
import { enterCoupon } from './enter-coupon.ts';
import { estimateShippingMethods } from './estimate-shipping-methods.ts';
import { getBillingAddress } from './get-billing-address.ts';
import { getCart } from './get-cart.ts';
import { getCoupon } from './get-coupon.ts';
import { getPaymentInformation } from './get-payment-information.ts';
import { getTotals } from './get-totals.ts';
import { listCartItems } from './list-cart-items.ts';
import { listPaymentMethods } from './list-payment-methods.ts';
import { listShippingMethods } from './list-shipping-methods.ts';
import { placeCartRoutes } from './place-cart.ts';
import { removeCoupon } from './remove-coupon.ts';
import { setBillingAddress } from './set-billing-address.ts';
import { setPaymentInformation } from './set-payment-information.ts';
import { setShippingInformation } from './set-shipping-information.ts';
import { updateCartItem } from './update-cart-item.ts';

/** A customer's own cart (platform facts 11, 12.2), its part of the one list of every route. */
export const cartRoutes = (wiring: CartWiring): readonly AnyRoute[] => [
  createCart,
  getCart,
  listCartItems,
  addCartItem,
  updateCartItem,
  deleteCartItem,
  getTotals(wiring),
  getCoupon,
  enterCoupon,
  removeCoupon,
  getBillingAddress,
  setBillingAddress,
  listShippingMethods,
  estimateShippingMethods,
  setShippingInformation(wiring),
  listPaymentMethods(wiring),
  getPaymentInformation(wiring),
  setPaymentInformation,
  ...placeCartRoutes(wiring),
];
