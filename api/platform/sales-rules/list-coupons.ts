import { z } from 'zod';
import { searchCoupons } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Coupons and how often they were used; 0 means no limit (platform facts 9.4). */
export const listCoupons = listRoute({
  path: '/V1/coupons/search',
  acl: 'Platform_SalesRule::quote',
  summary: 'Search coupons',
  name: 'listCoupons',
  description: `Coupons and how often they were used. A limit of 0 is no limit. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: z.object({
    coupon_id: z.int(),
    rule_id: z.int(),
    code: z.string(),
    usage_limit: z.int(),
    usage_per_customer: z.int(),
    times_used: z.int(),
    is_primary: z.boolean(),
    type: z.int(),
  }),
  find: searchCoupons,
  render: ({ rule_id, coupon_code, uses_per_coupon, uses_per_customer, times_used }) => ({
    coupon_id: rule_id,
    rule_id,
    code: coupon_code,
    usage_limit: uses_per_coupon,
    usage_per_customer: uses_per_customer,
    times_used,
    is_primary: true,
    type: 0,
  }),
});
