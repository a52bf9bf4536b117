import { salesRuleDoor } from './sales-rule-door.ts';
import { searchCoupons } from '../../../db/platform/sales-rules/search-coupons.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';
import { couponAnswer, renderCoupon } from './render-coupon.ts';

/** Coupons and how often they were used; 0 means no limit (platform facts 9.4). */
export const listCoupons = listRoute({
  path: '/V1/coupons/search',
  ...salesRuleDoor,
  summary: 'Search coupons',
  name: 'listCoupons',
  description: `Coupons and how often they were used. A limit of 0 is no limit. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: couponAnswer,
  find: searchCoupons,
  render: renderCoupon,
});
