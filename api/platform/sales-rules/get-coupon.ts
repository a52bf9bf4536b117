import { z } from 'zod';
import { noSuchRule, readCoupon } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { couponAnswer, renderCoupon } from './render-coupon.ts';

/** One coupon and how often it was used (platform facts 9.4, 14). Refused with 404: an unknown one. */
export const getCoupon = route({
  method: 'GET',
  path: '/V1/coupons/:couponId',
  acl: 'Platform_SalesRule::quote',
  summary: 'One coupon',
  name: 'getCouponById',
  description: 'A limit of 0 is no limit. A coupon has the id of its promotion.',
  outcomes: [{ status: 404, message: noSuchRule, when: 'There is no coupon of this id.' }],
  examples: [
    {
      title: 'It holds once',
      params: { couponId: 1 },
      response: {
        ...{ coupon_id: 1, rule_id: 1, code: 'ONCE', usage_limit: 1, usage_per_customer: 0, times_used: 0 },
        ...{ is_primary: true, created_at: '2026-11-21 09:00:00', type: 0 },
      },
    },
  ],
  params: z.object({ couponId: idParam }),
  response: couponAnswer,

  handle: async ({ em, params: { couponId } }) => renderCoupon(await readCoupon(em, couponId)),
});
