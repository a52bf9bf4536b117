import { z } from 'zod';
import { setCoupon } from '../../../db/platform/carts/set-coupon.ts';
import { route } from '../../http/route.ts';
import { text } from '../../wire/schemas.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** Enters a coupon into the calling customer's cart, in place of the one before (platform facts 9.4, 11). */
export const enterCoupon = route({
  method: 'PUT',
  path: '/V1/carts/mine/coupons/:couponCode',
  acl: 'self',
  summary: "Enter a coupon into the calling customer's cart",
  name: 'enterCoupon',
  description: 'Takes the place of the coupon before. A repeat changes nothing.',
  outcomes: [
    noActiveCart,
    { status: 404, message: `The "%1" Cart doesn't contain products.`, when: 'The cart is empty.' },
    {
      status: 404,
      message: "The coupon code isn't valid. Verify the code and try again.",
      when: 'The code is not good for this customer now.',
    },
  ],
  params: z.object({ couponCode: text(255) }),
  response: z.literal(true),

  async handle({ em, caller, store, now, params: { couponCode } }) {
    await setCoupon(em, ownerOf({ caller, store }), { code: couponCode, now });
    return true as const;
  },
});
