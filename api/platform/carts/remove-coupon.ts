import { z } from 'zod';
import { setCoupon } from '../../../db/platform/carts/set-coupon.ts';
import { route } from '../../http/route.ts';
import { ownerOf } from './cart-wiring.ts';

/**
 * Takes the coupon out of the calling customer's cart. Safe to repeat. Refused with: 404 no active cart, a cart without
 * products.
 */
export const removeCoupon = route({
  method: 'DELETE',
  path: '/V1/carts/mine/coupons',
  acl: 'self',
  summary: "Take the coupon out of the calling customer's cart",
  response: z.literal(true),

  async handle({ em, caller, store, now }) {
    await setCoupon(em, ownerOf({ caller, store }), { code: null, now });
    return true as const;
  },
});
