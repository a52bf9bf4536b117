import { z } from 'zod';
import { invalidDiscount, salesRules } from '../../../db/platform/sales-rules/sales-rules.ts';
import type { SalesRule } from '../../../db/platform/sales-rules/sales-rule.entity.ts';
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
import { idParam, money, payload, quantity, text as sentText } from '../../wire/schemas.ts';
import {
  derived,
  fieldsOf,
  flag,
  integer,
  keptAs,
  ownId,
  perhaps,
  references,
  setByServer,
  text,
} from '../../wire/fields.ts';
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
    condition_type: sentText(255),
    conditions: z
      .array(within)
      .max(mostConditions)
      .nullish()
      // Told as one shape that contains itself: a shape for each level has names that no file can have.
      .meta({ type: ['array', 'null'], items: { $ref: '#/$defs/SalesRuleCondition' } }),
    aggregator_type: sentText(255).nullish(),
    operator: sentText(255).nullish(),
    attribute_name: sentText(255).nullish(),
    value: z
      .union([
        sentText(maxValue),
        z
          .array(sentText(maxValue))
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
const day = perhaps(
  keptAs({ sent: sentText(maxText).nullable(), answer: z.string() }, (sent) => sent?.slice(0, 10) || null),
);

const conditions = {
  ...keptAs({ sent: conditionPayload, answer: conditionAnswer }, toCondition),
  show: renderCondition,
};

const discount = { sent: quantity, answer: z.number(), show: quantityToWire };
const word = <Word extends z.ZodType>(sent: Word) => ({ sent, answer: z.string() });
const ids = (of: (rule: SalesRule) => readonly string[] | null | undefined) =>
  derived((rule: SalesRule) => (of(rule) ?? []).map(Number), references(maxIds, idParam));

const labels = {
  ...keptAs(
    {
      sent: z
        .array(
          payload({ store_id: idParam, store_label: sentText(maxText), extension_attributes: z.unknown().optional() }),
        )
        .max(maxIds),
      answer: z.array(z.object({ store_id: z.int(), store_label: z.string() })),
    },
    (sent) => sent.map(({ store_id, store_label }) => ({ storeId: store_id, label: store_label })),
  ),
  show: (stored: SalesRule['storeLabels']) =>
    stored.map(({ storeId, label }) => ({ store_id: storeId, store_label: label })),
};

const rule = resource({
  records: salesRules,
  acl: 'Platform_SalesRule::quote',
  unknown: noSuchRecord.because('There is no promotion of this id.'),
  body: 'rule',
  /** What a read answered may be sent back. */
  ...fieldsOf(
    {
      rule_id: ownId('ruleId'),
      name: text(),
      store_labels: labels,
      description: text(maxDescription),
      website_ids: ids((rule) => rule.shownWebsiteIds),
      customer_group_ids: ids((rule) => rule.shownGroupIds),
      from_date: day,
      to_date: day,
      uses_per_customer: integer(),
      uses_per_coupon: integer(),
      is_active: flag(),
      condition: conditions,
      action_condition: conditions,
      stop_rules_processing: flag(),
      is_advanced: flag(),
      sort_order: integer(),
      simple_action: word(z.enum(promotionActions)),
      discount_amount: { sent: money, answer: z.number(), show: toWire },
      discount_qty: discount,
      discount_step: discount,
      apply_to_shipping: flag(),
      /** Counted by orders: what is sent is ignored. */
      times_used: setByServer(z.int()),
      is_rss: flag(),
      coupon_type: word(z.enum(couponTypes)),
      use_auto_generation: flag(),
      simple_free_shipping: word(sentText(maxText).pipe(z.enum(freeShippingKinds))),
      product_ids: {},
      extension_attributes: {},
    },
    'SalesRule',
  ),
  idOf: ({ rule_id }) => rule_id || undefined,
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
