import { z } from 'zod';
import { salesRuleDoor } from './sales-rule-door.ts';
import { readCoupon } from '../../../db/platform/sales-rules/search-coupons.ts';
import { noSuchRule } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { couponAnswer, exampleCoupon, renderCoupon } from './render-coupon.ts';

/** One coupon and how often it was used (platform facts 9.4, 14). Refused with 404: an unknown one. */
export const getCoupon = route({
  method: 'GET',
  path: '/V1/coupons/:couponId',
  ...salesRuleDoor,
  summary: 'One coupon',
  name: 'getCouponById',
  description: 'A limit of 0 is no limit. `type` is 1 for a generated code.',
  outcomes: [{ status: 404, message: noSuchRule, when: 'There is no coupon of this id.' }],
  examples: [
    {
      title: 'It holds once',
      params: { couponId: 1 },
      response: exampleCoupon,
    },
  ],
  params: z.object({ couponId: idParam }),
  response: couponAnswer,

  handle: async ({ em, params: { couponId } }) => renderCoupon(await readCoupon(em, couponId)),
});
