import type { AnyRoute } from '../../http/route.ts';
import { assignCartRoutes } from './assign-cart.ts';
import { cartBillingRoutes } from './cart-billing.ts';
import { cartCouponRoutes } from './cart-coupons.ts';
import { anyDoor, guestDoor, ownDoor, type CartDoor } from './cart-door.ts';
import { cartItemRoutes } from './cart-items.ts';
import { cartPaymentRoutes } from './cart-payment.ts';
import { cartShippingRoutes } from './cart-shipping.ts';
import { cartTotalsRoutes } from './cart-totals.ts';
import type { CartWiring } from './cart-wiring.ts';
import { getCart } from './get-cart.ts';
import { openCartRoutes } from './open-cart.ts';
import { placeCartRoutes } from './place-cart.ts';
import { saveOwnCart } from './save-own-cart.ts';
import { searchCartsRoute } from './search-carts.ts';

/** Carts of customers, of guests, and of anybody for administrators (platform facts 11, 12.2): one core, three doors. */
export const cartRoutes = (wiring: CartWiring): readonly AnyRoute[] => [
  ...openCartRoutes,
  searchCartsRoute,
  ...assignCartRoutes,
  saveOwnCart,
  ...[ownDoor, guestDoor, anyDoor].flatMap((door) => routesBehind(door, wiring)),
];

const routesBehind = (door: CartDoor, wiring: CartWiring): readonly AnyRoute[] => [
  getCart(door),
  ...cartItemRoutes(door),
  ...cartTotalsRoutes(door, wiring),
  ...cartCouponRoutes(door),
  ...cartBillingRoutes(door),
  ...cartShippingRoutes(door, wiring),
  ...cartPaymentRoutes(door, wiring),
  ...placeCartRoutes(door, wiring),
];
