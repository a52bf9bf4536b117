import { z } from 'zod';
import { salesRuleDoor } from './sales-rule-door.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteSalesRule, invalidDiscount, saveSalesRule } from '../../../db/platform/sales-rules/save-sales-rule.ts';
import { noSuchRule, readSalesRule } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { promotionActions } from '../../../domain/platform/sales-rules/promotion.ts';
import { couponTypes, freeShippingKinds } from '../../../domain/platform/sales-rules/sales-rule.ts';
import { route, type Outcome } from '../../http/route.ts';
import { eachOf } from '../../wire/each-of.ts';
import { flag, idParam, integer, money, payload, quantity, text } from '../../wire/schemas.ts';
import { conditionPayload, toCondition } from './condition-payload.ts';
import { exampleRule, renderSalesRule, salesRuleAnswer } from './render-sales-rule.ts';

const maxText = 255;
const maxDescription = 65_535;
const maxIds = 1_000;

/** The day of a date or of a moment; empty text is none. */
const day = text(maxText).transform((sent) => sent.slice(0, 10) || null);

/** A promotion as it is sent: what a read answered may be sent back. */
const rulePayload = payload({
  rule_id: idParam.optional(),
  name: text(maxText).optional(),
  description: text(maxDescription).optional(),
  store_labels: z
    .array(payload({ store_id: idParam, store_label: text(maxText), extension_attributes: z.unknown().optional() }))
    .max(maxIds)
    .optional(),
  website_ids: z.array(idParam).max(maxIds).optional(),
  customer_group_ids: z.array(idParam).max(maxIds).optional(),
  from_date: day.nullish(),
  to_date: day.nullish(),
  condition: conditionPayload.optional(),
  action_condition: conditionPayload.optional(),
  simple_action: z.enum(promotionActions).optional(),
  coupon_type: z.enum(couponTypes).optional(),
  simple_free_shipping: text(maxText).pipe(z.enum(freeShippingKinds)).optional(),
  discount_amount: money.optional(),
  ...eachOf(['discount_qty', 'discount_step'], quantity.optional()),
  ...eachOf(['sort_order', 'uses_per_coupon', 'uses_per_customer'], integer.optional()),
  ...eachOf(['is_active', 'stop_rules_processing', 'is_advanced', 'is_rss'], flag.optional()),
  ...eachOf(['apply_to_shipping', 'use_auto_generation'], flag.optional()),
  /** Counted by orders: it counts for nothing. */
  times_used: z.unknown().optional(),
  product_ids: z.unknown().optional(),
  extension_attributes: z.unknown().optional(),
}).meta({ id: 'SalesRule' });

type SentRule = z.output<typeof rulePayload>;

const draftOf = (sent: SentRule) => ({
  name: sent.name,
  description: sent.description,
  storeLabels: sent.store_labels?.map(({ store_id, store_label }) => ({ storeId: store_id, label: store_label })),
  websiteIds: sent.website_ids,
  customerGroupIds: sent.customer_group_ids,
  fromDate: sent.from_date,
  toDate: sent.to_date,
  condition: sent.condition && toCondition(sent.condition),
  actionCondition: sent.action_condition && toCondition(sent.action_condition),
  simpleAction: sent.simple_action,
  couponType: sent.coupon_type,
  simpleFreeShipping: sent.simple_free_shipping,
  discountAmount: sent.discount_amount,
  discountQty: sent.discount_qty,
  discountStep: sent.discount_step,
  sortOrder: sent.sort_order,
  usesPerCoupon: sent.uses_per_coupon,
  usesPerCustomer: sent.uses_per_customer,
  isActive: sent.is_active,
  stopRulesProcessing: sent.stop_rules_processing,
  isAdvanced: sent.is_advanced,
  isRss: sent.is_rss,
  applyToShipping: sent.apply_to_shipping,
  useAutoGeneration: sent.use_auto_generation,
});

async function save(em: EntityManager, ruleId: number | undefined, sent: SentRule) {
  return renderSalesRule(await readSalesRule(em, await saveSalesRule(em, { ruleId, draft: draftOf(sent) })));
}

const unknownRule: Outcome = { status: 404, message: noSuchRule, when: 'There is no promotion of this id.' };

const refusedRule: readonly Outcome[] = [
  unknownRule,
  {
    status: 400,
    message: 'Websites must be specified.; Customer Groups must be specified.; ',
    when: 'A list is empty. `End Date must follow Start Date.; ` stands there too.',
  },
  { status: 400, message: invalidDiscount, when: 'The discount is below 0.' },
  {
    status: 400,
    message: 'Invalid value of "%value" provided for the %fieldName field.',
    when: 'A word, number or day cannot be, or a condition is one that carts cannot be checked by.',
  },
];

/**
 * Creates a promotion; with a `rule_id` it changes that one, as on the platform (platform facts 9.4). Each call without
 * an id makes another one. Refused as `saveSalesRule`.
 */
export const createSalesRule = route({
  ...salesRuleDoor,
  method: 'POST',
  path: '/V1/salesRules',
  name: 'createSalesRule',
  summary: 'Create a promotion',
  description: `Carts get it from the next reading on, in the order of \`sort_order\`. Money is in base currency, before
tax. \`condition\` is of the cart, \`action_condition\` of the goods that are discounted. A promotion that needs a coupon
holds only with one of its coupons, \`POST /V1/coupons\`. \`times_used\` counts for nothing. Sent twice, it makes two.`,
  outcomes: refusedRule,
  examples: [
    {
      title: 'Ten per cent off',
      body: { rule: { ...exampleRule, rule_id: undefined, times_used: undefined } },
      response: exampleRule,
    },
  ],
  body: z.object({ rule: rulePayload }),
  response: salesRuleAnswer,

  handle: ({ em, body: { rule } }) => save(em, rule.rule_id || undefined, rule),
});

/** Changes what is sent of a promotion (platform facts 9.4). A repeat leaves the same one. Refused as above. */
export const updateSalesRule = route({
  ...salesRuleDoor,
  method: 'PUT',
  path: '/V1/salesRules/:ruleId',
  name: 'updateSalesRule',
  summary: 'Change a promotion',
  description: `Fields that are not sent stay. The id of the path counts. Carts get the change at once; orders keep their
discount. A repeat leaves the same promotion.`,
  outcomes: refusedRule,
  examples: [
    {
      title: 'Twenty per cent',
      params: { ruleId: 1 },
      body: { rule: { discount_amount: 20 } },
      response: { ...exampleRule, discount_amount: 20 },
    },
  ],
  params: z.object({ ruleId: idParam }),
  body: z.object({ rule: rulePayload }),
  response: salesRuleAnswer,

  handle: ({ em, params: { ruleId }, body: { rule } }) => save(em, ruleId, rule),
});

/** Deletes a promotion with its coupons. A repeat is a 404. Refused with 404: an unknown one. */
export const removeSalesRule = route({
  ...salesRuleDoor,
  method: 'DELETE',
  path: '/V1/salesRules/:ruleId',
  name: 'deleteSalesRule',
  summary: 'Delete a promotion',
  description: 'Its coupons are deleted too. Orders keep their discount.',
  outcomes: [unknownRule],
  examples: [{ title: 'Deleted', params: { ruleId: 1 }, response: true }],
  params: z.object({ ruleId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { ruleId } }) {
    await deleteSalesRule(em, ruleId);
    return true as const;
  },
});
