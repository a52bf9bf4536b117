import { z } from 'zod';
import type { CouponRow } from '../../../db/platform/sales-rules/search-coupons.ts';
import { toStockDate } from '../../wire/stock-date.ts';

export const couponAnswer = z
  .object({
    coupon_id: z.int(),
    rule_id: z.int(),
    code: z.string(),
    usage_limit: z.int(),
    usage_per_customer: z.int(),
    times_used: z.int(),
    expiration_date: z.string().optional(),
    is_primary: z.boolean(),
    created_at: z.string(),
    type: z.int(),
  })
  .meta({ id: 'Coupon' });

export const renderCoupon = ({ to_date, ...row }: CouponRow): z.input<typeof couponAnswer> => ({
  coupon_id: row.coupon_id,
  rule_id: row.rule_id,
  code: row.code,
  usage_limit: row.uses_per_coupon,
  usage_per_customer: row.uses_per_customer,
  times_used: row.times_used,
  ...(to_date === null ? {} : { expiration_date: `${to_date} 00:00:00` }),
  is_primary: row.is_primary,
  created_at: toStockDate(row.created_at),
  // 0: typed in by a person; 1: generated.
  type: Number(row.is_generated),
});

export const exampleCoupon: z.input<typeof couponAnswer> = {
  ...{ coupon_id: 1, rule_id: 1, code: 'ONCE', usage_limit: 1, usage_per_customer: 0, times_used: 0 },
  ...{ is_primary: true, created_at: '2026-11-21 09:00:00', type: 0 },
};
