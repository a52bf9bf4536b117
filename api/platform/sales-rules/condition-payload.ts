import { z } from 'zod';
import {
  conditionKinds,
  conditionOperators,
  type Condition,
} from '../../../domain/platform/sales-rules/condition-tree.ts';
import { invalidValue } from '../../../domain/errors.ts';
import { payload, text } from '../../wire/schemas.ts';

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
    conditions: z.array(within).max(mostConditions).nullish(),
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
      .nullish(),
    extension_attributes: z.unknown().optional(),
  });

/** One level below the other, as deep as a tree may be: so a request cannot nest without end. */
function conditionTree(): z.ZodType<SentCondition> {
  let tree: z.ZodType<SentCondition> = conditionOf(z.never());
  for (let level = 1; level < mostLevels; level++) tree = conditionOf(tree);
  return tree;
}

/** What a read answered may be sent back. */
export const conditionPayload = conditionTree();

/** Refused with 400: a word that is not the platform's. */
export function toCondition(sent: SentCondition): Condition {
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
export const conditionAnswer = z
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

export const renderCondition = ({ kind, aggregator, attribute, operator, value, conditions }: Condition): Answered => ({
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
