import { z } from 'zod';
import { readRuleUsage } from '../../db/platform/sales-rules/search-sales-rules.ts';
import { route } from '../http/route.ts';
import { idParam, text } from '../wire/schemas.ts';

/** How often a customer used a promotion and its coupon (spec 4.5). An unknown one has 0 uses. */
export const getRuleUsage = route({
  method: 'GET',
  path: '/V1/pos/customers/:customerId/rule-usage/:ruleId',
  acl: 'Vendor_Pos::locations',
  name: 'getRuleUsage',
  summary: 'How often a customer used a promotion',
  description: `Call it when a promotion has a limit per customer. Both counts are this customer's own. Leave \`couponCode\` out
for a promotion without a coupon; upper and lower case of a code are the same. An unknown customer, rule or code has 0
uses. A cancelled order gives its use back.`,
  outcomes: [],
  examples: [
    {
      title: 'A coupon used once',
      params: { customerId: 7, ruleId: 3 },
      query: 'couponCode=WELCOME10',
      response: { customer_id: 7, rule_id: 3, rule_times_used: 1, coupon_code: 'WELCOME10', coupon_times_used: 1 },
    },
    {
      title: 'A promotion without a coupon',
      params: { customerId: 7, ruleId: 4 },
      response: { customer_id: 7, rule_id: 4, rule_times_used: 2, coupon_code: null, coupon_times_used: 0 },
    },
  ],
  params: z.object({ customerId: idParam, ruleId: idParam }),
  query: z.object({ couponCode: text(255).optional() }),
  response: z.object({
    customer_id: z.int(),
    rule_id: z.int(),
    rule_times_used: z.int(),
    coupon_code: z.string().nullable(),
    coupon_times_used: z.int(),
  }),

  async handle({ reader, params: { customerId, ruleId }, query }) {
    const couponCode = query.couponCode || null;
    const used = await readRuleUsage(reader, { customerId, ruleId, couponCode });
    return {
      customer_id: customerId,
      rule_id: ruleId,
      rule_times_used: used.ruleTimesUsed,
      coupon_code: couponCode,
      coupon_times_used: used.couponTimesUsed,
    };
  },
});
