import { z } from 'zod';
import type { CouponRow } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { toStockDate } from '../../wire/stock-date.ts';

export const couponAnswer = z
  .object({
    coupon_id: z.int(),
    rule_id: z.int(),
    code: z.string(),
    usage_limit: z.int(),
    usage_per_customer: z.int(),
    times_used: z.int(),
    is_primary: z.boolean(),
    created_at: z.string(),
    type: z.int(),
  })
  .meta({ id: 'Coupon' });

export const renderCoupon = (row: CouponRow): z.input<typeof couponAnswer> => ({
  coupon_id: row.rule_id,
  rule_id: row.rule_id,
  code: row.coupon_code,
  usage_limit: row.uses_per_coupon,
  usage_per_customer: row.uses_per_customer,
  times_used: row.times_used,
  is_primary: true,
  created_at: toStockDate(row.created_at),
  // Typed in by a person, not generated.
  type: 0,
});
