import type { AnyRoute } from '../../http/route.ts';
import { getCoupon } from './get-coupon.ts';
import { getSalesRule } from './get-sales-rule.ts';
import { listCoupons } from './list-coupons.ts';
import { listSalesRules } from './list-sales-rules.ts';
import { deleteCouponsByCodes, deleteCouponsByIds, generateCouponsRoute } from './many-coupons.ts';
import { createCoupon, removeCoupon, updateCoupon } from './save-coupon.ts';
import { createSalesRule, removeSalesRule, updateSalesRule } from './save-sales-rule.ts';

/** Promotions and their coupons (platform facts 9.4). */
export const salesRuleRoutes: readonly AnyRoute[] = [
  listSalesRules,
  getSalesRule,
  createSalesRule,
  updateSalesRule,
  removeSalesRule,
  listCoupons,
  getCoupon,
  createCoupon,
  updateCoupon,
  removeCoupon,
  generateCouponsRoute,
  deleteCouponsByIds,
  deleteCouponsByCodes,
];
