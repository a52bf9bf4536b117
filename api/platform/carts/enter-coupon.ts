import { z } from 'zod';
import { setCoupon } from '../../../db/platform/carts/set-coupon.ts';
import { route } from '../../http/route.ts';
import { text } from '../../wire/schemas.ts';
import { ownerOf } from './cart-wiring.ts';

/**
 * Enters a coupon into the calling customer's cart, in place of the one before (platform facts 9.4, 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products, a code that is not good for this customer now.
 */
export const enterCoupon = route({
  method: 'PUT',
  path: '/V1/carts/mine/coupons/:couponCode',
  acl: 'self',
  summary: "Enter a coupon into the calling customer's cart",
  params: z.object({ couponCode: text(255) }),
  response: z.literal(true),

  async handle({ em, caller, store, now, params: { couponCode } }) {
    await setCoupon(em, ownerOf({ caller, store }), { code: couponCode, now });
    return true as const;
  },
});
