import { z } from 'zod';
import { readStoreSetting } from '../../db/configuration/read-store-setting.ts';
import { readCreditStanding } from '../../db/credit-limits/read-credit-standing.ts';
import { readCreditScopeOfCustomer } from '../../db/credit-stores/read-credit-scope.ts';
import { readInsights } from '../../db/insights.ts';
import { readRuleUsage } from '../../db/platform/sales-rules/search-sales-rules.ts';
import { noSuchEntity } from '../../domain/errors.ts';
import { greatest, subtract, toWire, zero } from '../../domain/money.ts';
import { valueOfFieldNotPossible } from '../../domain/refusals/customers.ts';
import { askBalances } from '../../providers/credits/place-with-credit.ts';
import { lookUpDeadline } from '../http/in-time.ts';
import { route, type AnyRoute, type RouteContext } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';
import { idParam, money, recordId, text } from '../wire/schemas.ts';
import { feedScope } from './feed-routes.ts';
import { insightsAnswer, renderInsights, wishlistRoutes } from './wishlist-routes.ts';
import { setCreditLimit } from '../../db/credit-limits/set-credit-limit.ts';

/** How often a customer used a promotion and its coupon (spec 4.5). An unknown one has 0 uses. */
export const getRuleUsage = route({
  method: 'GET',
  path: '/V1/pos/customers/:customerId/rule-usage/:ruleId',
  acl: 'Vendor_Pos::locations',
  name: 'getRuleUsage',
  summary: 'How often a customer used a promotion',
  description: `Call it when a promotion has a limit per customer. Both counts are this customer's own. Leave
\`couponCode\` out
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

type Words = Required<Pick<AnyRoute, 'name' | 'description' | 'outcomes' | 'examples'>>;

const unknown = unknownEntity('no customer or no website has this id');

const standing = { customer_id: 7, limit: 5000, used: 1280.5, available: 3719.5, currency: 'USD', source: 'customer' };

const creditLimitWords: Words = {
  name: 'getCreditLimit',
  description: `Ask it before a sale on invoice. All amounts are in the website's base currency. \`used\` is what the
customer
owes now: orders on invoice or on credit that are not paid, partial payments taken off; layaways do not count, their
goods are
still yours. A \`limit\` of 0 means that no credit is extended. Going over \`available\` is a warning for the cashier,
never a
block. \`source\` names who set the limit: \`customer\`, \`customer_group\`, or \`none\`.

\`websiteId\` 0, or none, is the website of the store view in the path.`,
  outcomes: [unknown],
  examples: [{ title: 'A company on account', params: { customerId: 7 }, query: 'websiteId=1', response: standing }],
};

const setCreditLimitWords: Words = {
  name: 'setCreditLimit',
  description: `\`limit\` is in the website's base currency and holds over the limit of the customer's group. A
    repeat leaves the same limit. Answers how the customer stands then.`,
  outcomes: [unknown, valueOfFieldNotPossible.because('the limit is below 0')],
  examples: [
    {
      title: 'Five thousand dollars',
      params: { customerId: 7 },
      body: { limit: 5000, websiteId: 1 },
      response: standing,
    },
  ],
};

const removeCreditLimitWords: Words = {
  name: 'removeCreditLimit',
  description: `The limit of the customer's group holds again, if it has one. A repeat leaves the same. Answers the
customer's limit now and what is owed.`,
  outcomes: [unknown],
  examples: [
    {
      title: 'Back to the limit of the group',
      params: { customerId: 7 },
      query: 'websiteId=1',
      response: { ...standing, limit: 1000, available: 0, source: 'customer_group' },
    },
  ],
};

const creditLimitAnswer = z
  .object({
    customer_id: z.int(),
    limit: z.number(),
    used: z.number(),
    available: z.number(),
    currency: z.string(),
    source: z.string(),
  })
  .meta({ id: 'CreditLimit' });

/**
 * How much a customer may still owe on a website, in its base currency (spec 2.18, 4.5).
 *
 * Refused with: 404 unknown customer or website.
 */
const getCreditLimit = route({
  ...creditLimitWords,
  method: 'GET',
  path: '/V1/pos/customers/:customerId/credit-limit',
  acl: 'Platform_Customer::manage',
  summary: "A customer's credit limit and what is left of it",
  params: z.object({ customerId: idParam }),
  query: z.object({ websiteId: recordId.default(0) }),
  response: creditLimitAnswer,

  handle: (context) => answerCreditLimit(context, { ...context.params, ...context.query }),
});

type Context = Pick<RouteContext, 'em' | 'providers' | 'store'>;

/** Website 0 is that of the store view the call runs in. */
async function answerCreditLimit(
  { em, providers, store }: Context,
  of: { customerId: number; websiteId: number },
): Promise<z.input<typeof creditLimitAnswer>> {
  const { customerId } = of;
  const scope = await feedScope(em, { websiteId: of.websiteId, store });
  const payByInvoiceMethod = await readStoreSetting(em, payByInvoicePath, scope.storeId);
  const standing = await readCreditStanding(em, { customerId, websiteId: scope.websiteId, payByInvoiceMethod });
  if (!standing) throw noSuchEntity('customerId', customerId);
  const { limit, source } = await providers.creditLimits.resolve({ customerId, ...scope, standing });
  return {
    customer_id: customerId,
    limit: toWire(limit),
    used: toWire(standing.used),
    available: toWire(greatest(zero, subtract(limit, standing.used))),
    currency: standing.baseCurrencyCode,
    source,
  };
}

const payByInvoicePath = 'vendor_pos_terminal/payments/pay_by_invoice_method';

const insightsWords: Required<Pick<AnyRoute, 'name' | 'description' | 'outcomes' | 'examples'>> = {
  name: 'getCustomerInsights',
  description: `For the profile screen. Figures are of the customer's website, in its base currency (\`currency\`); a
line of
\`last_purchases\` is in its own. Cancelled orders do not count, nor what is still to be paid for, such as layaways.

\`visits\` are days with a purchase. \`total_spent\` is what was bought less what came back; \`return_rate\` is the part
that
came back, in percent. Favourites are of the last 500 purchases, by how often they were bought and kept.
\`preferred_location\` is where most of these receipts were printed; null where none is known. \`sections\` are what
others
add; a provider that fails is missing, so show what is there.`,
  outcomes: [unknownEntity('no customer has this id')],
  examples: [
    {
      title: 'A regular',
      params: { customerId: 7 },
      response: {
        customer_id: 7,
        currency: 'USD',
        statistics: {
          purchases: 12,
          visits: 11,
          first_purchase_at: '2025-02-03 10:15:00',
          last_purchase_at: '2026-11-20 16:05:11',
          total_spent: 640.5,
          total_refunded: 59,
          average_basket: 58.29,
          return_rate: 8.43,
        },
        preferred_location: { location_id: 1, name: 'High Street', purchases: 9 },
        last_purchases: [
          {
            order_id: 812,
            increment_id: '000000812',
            created_at: '2026-11-20 16:05:11',
            status: 'complete',
            grand_total: 59,
            total_refunded: 0,
            currency: 'USD',
            lines: 1,
          },
        ],
        favourite_products: [
          { sku: 'BEANS', name: 'Coffee beans', qty: 9, purchases: 8, last_purchased_at: '2026-11-20 16:05:11' },
        ],
        favourite_categories: [{ category_id: 4, qty: 11, purchases: 9 }],
        credits: [],
        sections: [{ provider: 'service', title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] }],
      },
    },
  ],
};

/**
 * How a customer buys, for the cashier at the counter (spec 4.5; the shape is our choice).
 *
 * Figures are of the customer's own website, in its base currency. Credit and sections of others are asked for at the
 * same time; who fails or is late is left out. Refused with: 404 unknown customer.
 */
const getCustomerInsights = route({
  ...insightsWords,
  method: 'GET',
  path: '/V1/pos/customer-insights/:customerId',
  acl: 'Platform_Customer::manage',
  summary: 'How a customer buys',
  params: z.object({ customerId: idParam }),
  response: insightsAnswer,

  async handle({ reader, em, params: { customerId }, providers, log }) {
    const deadline = lookUpDeadline();
    const othersSay = async () => {
      const scope = await readCreditScopeOfCustomer(em, customerId);
      if (!scope) throw noSuchEntity('customerId', customerId);
      return Promise.all([
        askBalances(providers.credits, { customerId, scope, deadline }, log),
        providers.insights.sections({ customerId, deadline }, log),
      ]);
    };
    // The figures take longest: they begin at once.
    const [insights, [credits, sections]] = await Promise.all([readInsights(reader, customerId), othersSay()]);
    if (!insights) throw noSuchEntity('customerId', customerId);
    return renderInsights({ customerId, ...insights, credits, sections });
  },
});

/**
 * Agrees on a credit limit with a customer (our route: the spec names none). No register's token has its resource.
 *
 * A repeat leaves the same limit. Refused with: 404 unknown customer or website · 400 a limit below 0.
 */
const setCreditLimitRoute = route({
  ...setCreditLimitWords,
  method: 'PUT',
  path: '/V1/pos/customers/:customerId/credit-limit',
  acl: 'Vendor_Pos::credit_limits_manage',
  summary: 'Agree on a credit limit with a customer',
  params: z.object({ customerId: idParam }),
  body: z.object({ limit: money, websiteId: recordId.default(0) }),
  response: creditLimitAnswer,

  async handle(context) {
    const { em, store } = context;
    const { customerId } = context.params;
    const { limit, websiteId } = context.body;
    if (limit < 0) throw valueOfFieldNotPossible({ fieldName: 'limit' });
    // Says whether there is such a customer, before anything is written.
    await answerCreditLimit(context, { customerId, websiteId });
    const scope = await feedScope(em, { websiteId, store });
    await setCreditLimit(em, { customerId, websiteId: scope.websiteId, creditLimit: limit });
    return answerCreditLimit(context, { customerId, websiteId });
  },
});

/** Takes back what was agreed with a customer: the limit of the group holds again. A repeat leaves the same. */
const removeCreditLimitRoute = route({
  ...removeCreditLimitWords,
  method: 'DELETE',
  path: '/V1/pos/customers/:customerId/credit-limit',
  acl: 'Vendor_Pos::credit_limits_manage',
  summary: "Take back a customer's own credit limit",
  params: z.object({ customerId: idParam }),
  query: z.object({ websiteId: recordId.default(0) }),
  response: creditLimitAnswer,

  async handle(context) {
    const { em, store } = context;
    const { customerId } = context.params;
    const { websiteId } = context.query;
    const scope = await feedScope(em, { websiteId, store });
    await setCreditLimit(em, { customerId, websiteId: scope.websiteId, creditLimit: null });
    return answerCreditLimit(context, { customerId, websiteId });
  },
});

/** A customer's profile at the register (spec 4.5): a part of the list of all routes. */
export const profileRoutes: readonly AnyRoute[] = [
  getCreditLimit,
  setCreditLimitRoute,
  removeCreditLimitRoute,
  getRuleUsage,
  ...wishlistRoutes,
  getCustomerInsights,
];
