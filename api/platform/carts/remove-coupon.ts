import { z } from 'zod';
import { setCoupon } from '../../../db/platform/carts/set-coupon.ts';
import { route } from '../../http/route.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** Takes the coupon out of the calling customer's cart. */
export const removeCoupon = route({
  method: 'DELETE',
  path: '/V1/carts/mine/coupons',
  acl: 'self',
  summary: "Take the coupon out of the calling customer's cart",
  name: 'removeCoupon',
  description: 'A repeat changes nothing.',
  outcomes: [
    noActiveCart,
    { status: 404, message: `The "%1" Cart doesn't contain products.`, when: 'The cart is empty.' },
  ],
  response: z.literal(true),

  async handle({ em, caller, store, now }) {
    await setCoupon(em, ownerOf({ caller, store }), { code: null, now });
    return true as const;
  },
});
