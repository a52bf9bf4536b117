import { z } from 'zod';
import { findCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { voidAnswer } from '../../wire/schemas.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** The coupon of the calling customer's cart; an empty list where there is none. */
export const getCoupon = route({
  method: 'GET',
  path: '/V1/carts/mine/coupons',
  acl: 'self',
  summary: "The coupon of the calling customer's cart",
  name: 'getCoupon',
  description: 'The code as a bare text; an empty list where the cart has none.',
  outcomes: [noActiveCart],
  response: z.union([z.string(), voidAnswer]),

  async handle({ em, caller, store }): Promise<string | []> {
    const { couponCode } = await findCart(em, ownerOf({ caller, store }));
    return couponCode ?? [];
  },
});
