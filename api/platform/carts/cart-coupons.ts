import { z } from 'zod';
import { findCart } from '../../../db/platform/carts/find-cart.ts';
import { setCoupon } from '../../../db/platform/carts/set-coupon.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { text, voidAnswer } from '../../wire/schemas.ts';
import type { CartDoor } from './cart-door.ts';
import { empty } from './cart-words.ts';

/** The coupon of a cart; an empty list without one. Refused with: 404 no active cart. */
const getCoupon = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/coupons`,
    name: `getCouponOf${door.kind}`,
    summary: `The coupon of ${door.whose}`,
    description: 'The code that was entered; an empty list without one.',
    outcomes: [door.missing],
    examples: [{ title: 'Ten percent off', params: door.example, response: 'TENOFF' }],
    params: z.object({ cartId: door.cartId }),
    response: z.union([z.string(), voidAnswer]),

    async handle(call): Promise<string | []> {
      const { couponCode } = await findCart(call.em, keyOf(call));
      return couponCode ?? [];
    },
  });

/**
 * Enters a coupon into a cart, replacing the previous one (platform facts 9.4, 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products, a code that is not valid for this buyer now.
 */
const enterCoupon = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'PUT', acl },
    path: `${path}/coupons/:couponCode`,
    name: `enterCouponInto${door.kind}`,
    summary: `Enter a coupon into ${door.whose}`,
    description:
      'In place of the one before. It counts as used when the order is placed, not before. A repeat changes nothing.',
    outcomes: [
      door.missing,
      empty,
      {
        status: 404,
        message: "The coupon code isn't valid. Verify the code and try again.",
        when: 'The code is unknown, used up, or not valid for this buyer, this website or this day.',
      },
    ],
    examples: [{ title: 'Ten percent off', params: { ...door.example, couponCode: 'TENOFF' }, response: true }],
    params: z.object({ cartId: door.cartId, couponCode: text(255) }),
    response: z.literal(true),

    async handle(call) {
      await setCoupon(call.em, keyOf(call), { code: call.params.couponCode, now: call.now });
      return true as const;
    },
  });

/** Removes the coupon of a cart. Safe to repeat. Refused with: 404 no active cart, a cart without products. */
const removeCoupon = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'DELETE', acl },
    path: `${path}/coupons`,
    name: `removeCouponFrom${door.kind}`,
    summary: `Take the coupon out of ${door.whose}`,
    description: 'A repeat changes nothing.',
    outcomes: [door.missing, empty],
    examples: [{ title: 'Gone', params: door.example, response: true }],
    params: z.object({ cartId: door.cartId }),
    response: z.literal(true),

    async handle(call) {
      await setCoupon(call.em, keyOf(call), { code: null, now: call.now });
      return true as const;
    },
  });

/** Routes of a cart's coupon. */
export const cartCouponRoutes = (door: CartDoor): readonly AnyRoute[] => [
  getCoupon(door),
  enterCoupon(door),
  removeCoupon(door),
];
