import { z } from 'zod';
import { invalidDiscount, salesRules } from '../../../db/platform/sales-rules/sales-rules.ts';
import { invalidValue } from '../../../domain/errors.ts';
import {
  anyCart,
  anyLine,
  conditionKinds,
  conditionOperators,
  couponTypes,
  freeShippingKinds,
  type Condition,
} from '../../../domain/platform/sales-rules/condition-tree.ts';
import { promotionActions } from '../../../domain/platform/sales-rules/promotion.ts';
import { noSuchRecord } from '../../../domain/refusals/platform.ts';
import { quantityToWire, toWire } from '../../../domain/money.ts';
import { resource } from '../../http/resource.ts';
import type { AnyRoute, Outcome } from '../../http/route.ts';
import { eachOf } from '../../wire/rows.ts';
import { flag, idParam, integer, money, payload, quantity, text } from '../../wire/schemas.ts';
import { invalidField } from '../../wire/outcomes.ts';

/** The platform's class names of conditions begin with it. */
const family = 'Magento\\SalesRule\\Model\\Rule\\Condition\\';

const maxValue = 65_535;
const mostConditions = 200;
const mostValues = 1_000;
const mostLevels = 10;

/** A condition of a promotion, as it is sent and answered (platform facts 9.4). A list has `conditions`. */
export interface SentCondition {
  condition_type: string;
  conditions?: SentCondition[] | null | undefined;
  aggregator_type?: string | null | undefined;
  operator?: string | null | undefined;
  attribute_name?: string | null | undefined;
  value?: string | null | undefined;
  extension_attributes?: unknown;
}

const conditionOf = (within: z.ZodType<SentCondition>) =>
  payload({
    condition_type: text(255),
    conditions: z
      .array(within)
      .max(mostConditions)
      .nullish()
      // Told as one shape that contains itself: a shape for each level has names that no file can have.
      .meta({ type: ['array', 'null'], items: { $ref: '#/$defs/SalesRuleCondition' } }),
    aggregator_type: text(255).nullish(),
    operator: text(255).nullish(),
    attribute_name: text(255).nullish(),
    value: z
      .union([
        text(maxValue),
        z
          .array(text(maxValue))
          .max(mostValues)
          .transform((list) => list.join(',')),
      ])
      .nullish()
      .meta({ type: ['string', 'null'] }),
    extension_attributes: z.unknown().optional(),
  });

/** One level below the other, as deep as a tree may be: so a request cannot nest without end. */
function conditionTree(): z.ZodType<SentCondition> {
  let tree: z.ZodType<SentCondition> = conditionOf(z.never());
  for (let level = 1; level < mostLevels; level++) tree = conditionOf(tree);
  return tree;
}

/** What a read answered may be sent back. */
const conditionPayload = conditionTree().meta({ id: 'SalesRuleCondition' });

/** Refused with 400: a word that is not the platform's. */
function toCondition(sent: SentCondition): Condition {
  const { condition_type: type, aggregator_type: aggregator = null, operator = null } = sent;
  const short = type.replace(/^\\/, '').replace(family, '');
  return {
    kind: known('condition_type', conditionKinds, short, type),
    aggregator: aggregator === null ? null : known('aggregator_type', aggregators, aggregator),
    attribute: sent.attribute_name ?? null,
    operator: operator === null ? null : known('operator', conditionOperators, operator),
    value: sent.value ?? '',
    conditions: (sent.conditions ?? []).map(toCondition),
  };
}

const aggregators = ['all', 'any'] as const;

function known<Word extends string>(field: string, words: readonly Word[], word: string, sent = word): Word {
  const found = words.find((one) => one === word);
  if (found === undefined) throw invalidValue(field, sent);
  return found;
}

const comparison = z.object({
  condition_type: z.string(),
  operator: z.string().nullable(),
  attribute_name: z.string(),
  value: z.string(),
});

/** A list of conditions as it is answered. Of the lists, only a total has an attribute. */
const conditionAnswer = z
  .object({
    condition_type: z.string(),
    get conditions() {
      return z.array(z.union([conditionAnswer, comparison]));
    },
    aggregator_type: z.string(),
    operator: z.string().nullable(),
    attribute_name: z.string().optional(),
    value: z.string().nullable(),
  })
  .meta({ id: 'SalesRuleCondition' });

type Answered = z.input<typeof conditionAnswer>;

const renderCondition = ({ kind, aggregator, attribute, operator, value, conditions }: Condition): Answered => ({
  condition_type: `${family}${kind}`,
  conditions: conditions.map((one) =>
    one.aggregator === null
      ? {
          condition_type: `${family}${one.kind}`,
          operator: one.operator,
          attribute_name: one.attribute ?? '',
          value: one.value,
        }
      : renderCondition(one),
  ),
  aggregator_type: aggregator ?? 'all',
  operator,
  ...(attribute === null ? {} : { attribute_name: attribute }),
  value: value === '' ? null : value,
});

const maxText = 255;
const maxDescription = 65_535;
const maxIds = 1_000;

/** The day of a date or of a moment; empty text is none. */
const day = text(maxText).transform((sent) => sent.slice(0, 10) || null);

const rule = resource({
  records: salesRules,
  acl: 'Platform_SalesRule::quote',
  unknown: noSuchRecord.because('There is no promotion of this id.'),
  body: 'rule',
  /** What a read answered may be sent back. */
  sent: payload({
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
  }).meta({ id: 'SalesRule' }),
  draft: (sent) => ({
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
  }),
  idOf: ({ rule_id }) => rule_id || undefined,
  answer: z
    .object({
      rule_id: z.int(),
      name: z.string(),
      store_labels: z.array(z.object({ store_id: z.int(), store_label: z.string() })),
      description: z.string(),
      website_ids: z.array(z.int()),
      customer_group_ids: z.array(z.int()),
      from_date: z.string().optional(),
      to_date: z.string().optional(),
      uses_per_customer: z.int(),
      uses_per_coupon: z.int(),
      is_active: z.boolean(),
      condition: conditionAnswer,
      action_condition: conditionAnswer,
      stop_rules_processing: z.boolean(),
      is_advanced: z.boolean(),
      sort_order: z.int(),
      simple_action: z.string(),
      discount_amount: z.number(),
      discount_qty: z.number(),
      discount_step: z.number(),
      apply_to_shipping: z.boolean(),
      times_used: z.int(),
      is_rss: z.boolean(),
      coupon_type: z.string(),
      use_auto_generation: z.boolean(),
      simple_free_shipping: z.string(),
    })
    .meta({ id: 'SalesRule' }),
  render: (rule) => ({
    rule_id: rule.ruleId,
    name: rule.name,
    store_labels: rule.storeLabels.map(({ storeId, label }) => ({ store_id: storeId, store_label: label })),
    description: rule.description,
    website_ids: (rule.shownWebsiteIds ?? []).map(Number),
    customer_group_ids: (rule.shownGroupIds ?? []).map(Number),
    ...(rule.fromDate ? { from_date: rule.fromDate } : {}),
    ...(rule.toDate ? { to_date: rule.toDate } : {}),
    uses_per_customer: rule.usesPerCustomer,
    uses_per_coupon: rule.usesPerCoupon,
    is_active: rule.isActive,
    condition: renderCondition(rule.condition),
    action_condition: renderCondition(rule.actionCondition),
    stop_rules_processing: rule.stopRulesProcessing,
    is_advanced: rule.isAdvanced,
    sort_order: rule.sortOrder,
    simple_action: rule.simpleAction,
    discount_amount: toWire(rule.discountAmount),
    discount_qty: quantityToWire(rule.discountQty),
    discount_step: quantityToWire(rule.discountStep),
    apply_to_shipping: rule.applyToShipping,
    times_used: rule.timesUsed,
    is_rss: rule.isRss,
    coupon_type: rule.couponType,
    use_auto_generation: rule.useAutoGeneration,
    simple_free_shipping: rule.simpleFreeShipping,
  }),
});

const exampleRule = {
  ...{ rule_id: 1, name: 'Ten per cent off', store_labels: [], description: '', website_ids: [1] },
  ...{ customer_group_ids: [0, 1, 2, 3], uses_per_customer: 0, uses_per_coupon: 0, is_active: true },
  ...{ condition: renderCondition(anyCart), action_condition: renderCondition(anyLine), stop_rules_processing: false },
  ...{ is_advanced: true, sort_order: 0, simple_action: 'by_percent', discount_amount: 10, discount_qty: 0 },
  ...{ discount_step: 0, apply_to_shipping: false, times_used: 0, is_rss: false, coupon_type: 'SPECIFIC_COUPON' },
  ...{ use_auto_generation: false, simple_free_shipping: '0' },
};

const refusedRule: readonly Outcome[] = [
  {
    status: 400,
    message: 'Websites must be specified.; Customer Groups must be specified.; ',
    when: 'A list is empty. `End Date must follow Start Date.; ` stands there too.',
  },
  { status: 400, message: invalidDiscount, when: 'The discount is below 0.' },
  invalidField('A word, number or day cannot be, or a condition is one that carts cannot be checked by.'),
];

/**
 * Promotions, for a register that calculates totals itself (platform facts 9.4). A save with a `rule_id` changes that
 * one.
 */
export const salesRuleRoutes: readonly AnyRoute[] = [
  rule.list({
    path: '/V1/salesRules/search',
    name: 'listSalesRules',
    summary: 'Search promotions',
    description: `Promotions, for a register that adds up by itself. \`coupon_type\` says which need a coupon.
      \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  }),

  rule.get({
    path: '/V1/salesRules/:ruleId',
    name: 'getSalesRule',
    summary: 'One promotion',
    description: 'As in the list. A promotion for every website or customer group names all of them.',
    examples: [{ title: 'Ten per cent off', params: { ruleId: 1 }, response: exampleRule }],
  }),

  rule.create({
    path: '/V1/salesRules',
    name: 'createSalesRule',
    summary: 'Create a promotion',
    description: `Carts get it from the next reading on, in the order of \`sort_order\`. Money is in base currency,
before
tax. \`condition\` is of the cart, \`action_condition\` of the goods that are discounted. A promotion that needs a
coupon
holds only with one of its coupons, \`POST /V1/coupons\`. \`times_used\` counts for nothing. Sent twice, it makes two.`,
    outcomes: refusedRule,
    examples: [
      {
        title: 'Ten per cent off',
        body: { rule: { ...exampleRule, rule_id: undefined, times_used: undefined } },
        response: exampleRule,
      },
    ],
  }),

  rule.update({
    path: '/V1/salesRules/:ruleId',
    name: 'updateSalesRule',
    summary: 'Change a promotion',
    description: `Fields that are not sent stay. The id of the path counts. Carts get the change at once; orders keep
their
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
  }),

  rule.remove({
    path: '/V1/salesRules/:ruleId',
    name: 'deleteSalesRule',
    summary: 'Delete a promotion',
    description: 'Its coupons are deleted too. Orders keep their discount.',
    examples: [{ title: 'Deleted', params: { ruleId: 1 }, response: true }],
  }),
];
