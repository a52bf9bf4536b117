import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import {
  isOfPlatform,
  platformAttribute,
  scopeOf,
  type ScopeOf,
} from '../../../domain/platform/catalog/product-attributes.ts';
import { typedValue, type AttributeDemand } from '../../../domain/platform/catalog/scoped-values.ts';
import { attributeValueNotValid } from '../../../domain/refusals/catalog.ts';
import { sql } from '../../support/sql.ts';
import { takesOptions } from './attribute-options.ts';
import { notAPrice } from './attributes.ts';
import { isFixedTaxes } from './save-fixed-product-taxes.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** What the shop says of attributes. */
export interface AttributeRules {
  scopeOf: ScopeOf;
  /** How its values are typed in; undefined: there is no such attribute. */
  inputOf: (code: string) => string | undefined;
  /** The ids that a product may have, as texts, and whether it may have several; undefined: they are not options. */
  choicesOf: (code: string) => { ids: readonly string[]; areSeveral: boolean } | undefined;
  /** Of every attribute read; the platform's own have rules elsewhere. */
  demands: readonly AttributeDemand[];
}

interface Asking {
  /** The attributes that the call names. */
  codes: readonly string[];
  /** The set that the product will have. */
  attributeSetId: number;
  /** Whether all attributes of the set count: of a new product, and of one that gets the set. */
  isWholeSet: boolean;
}

/** Reads what the shop says of the attributes that a product is saved with, in one round trip. */
export async function readAttributeRules(
  em: EntityManager,
  { codes, attributeSetId, isWholeSet }: Asking,
): Promise<AttributeRules> {
  const isRequested = codes.length > 0 || isWholeSet;
  const rows = isRequested ? await rulesOf.all(em, { codes, setId: attributeSetId, isWholeSet }) : [];
  const byCode = new Map(rows.map((row) => [row.attributeCode, row]));
  const inputOf = (code: string) => platformAttribute(code)?.input ?? byCode.get(code)?.frontendInput;
  return {
    scopeOf: (code) => byCode.get(code)?.scope ?? scopeOf(code),
    inputOf,
    choicesOf(code) {
      const frontendInput = inputOf(code) ?? '';
      if (!takesOptions({ attributeCode: code, frontendInput })) return undefined;
      return { ids: byCode.get(code)?.optionIds ?? [], areSeveral: frontendInput === 'multiselect' };
    },
    demands: rows
      .filter(({ attributeCode }) => !isOfPlatform(attributeCode))
      .map(({ attributeId, attributeCode, label, settings, ...flags }) => ({
        ...{ attributeId, code: attributeCode, label: label ?? attributeCode },
        ...{ isRequired: flags.isRequired && flags.isInSet, isUnique: flags.isUnique, isInSet: flags.isInSet },
        ...{ standard: settings.default_value ?? '', appliesTo: settings.apply_to ?? [] },
      })),
  };
}

const rulesOf = sql('attribute-rules.rulesOf')`
  select a.attribute_id, a.attribute_code, a.frontend_input, a.scope, a.label, a.is_required, a.is_unique, a.settings,
    i.attribute_code is not null as is_in_set, array(
      select o.option_id::text from product_attribute_option o where o.attribute_id = a.attribute_id) as option_ids
  from product_attribute a
  left join attribute_in_set i on i.attribute_code = a.attribute_code and i.attribute_set_id = $setId
  where a.attribute_code = any($codes::text[])
    or $isWholeSet and i.attribute_code is not null and (a.is_required or a.settings ->> 'default_value' <> '')`;

/**
 * Attributes as a product keeps them: by the type of each, several choices as one text with commas. A code that no
 * attribute has is ignored, as on the platform (platform facts 9.1).
 *
 * What a product has already passes: it may be older than the attribute's type or its options. Refused with 400: a
 * value that its attribute cannot have, an id of no option.
 */
export const storedValues = (posted: Attributes, rules: AttributeRules, before: Attributes): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(posted).flatMap(([code, value]) => {
      const input = rules.inputOf(code);
      // Null takes away what is left of an attribute that is no more.
      if (value === null || value === undefined || value === '') return input || value === null ? [[code, value]] : [];
      if (input === undefined) return [];
      const choices = rules.choicesOf(code);
      if (choices) return [[code, storedChoice(value, { code, choices, before: before[code] })]];
      return [[code, isSame(value, before[code]) ? value : storedValue(value, { code, input })]];
    }),
  );

/** Answers have texts for numbers, in lists too. */
const isSame = (value: unknown, before: unknown) => before !== undefined && inTexts(value) === inTexts(before);

const inTexts = (value: unknown) =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'number' ? String(one) : one));

function storedValue(value: unknown, { code, input }: { code: string; input: string }): unknown {
  const stored = input === 'weee' && !isFixedTaxes(value) ? undefined : typedValue({ code, input }, value);
  if (stored === undefined) throw input === 'price' ? invalid(notAPrice) : attributeValueNotValid(code);
  return stored;
}

interface Choice {
  code: string;
  choices: { ids: readonly string[]; areSeveral: boolean };
  before: unknown;
}

function storedChoice(value: unknown, { code, choices, before }: Choice): string {
  const chosen = chosenIn(value, choices.areSeveral);
  const stored = chosen.join(',');
  const isKnown = stored === String(before) || chosen.every((one) => isChoice(one, choices.ids));
  if (!isKnown) throw attributeValueNotValid(code);
  return stored;
}

/** As long as an attribute has no options, any id is one of those to come, as on the platform. */
const isChoice = (chosen: string, ids: readonly string[]) =>
  ids.length === 0 ? /^\d{1,16}$/.test(chosen) : ids.includes(chosen);

function chosenIn(value: unknown, areSeveral: boolean): string[] {
  if (!areSeveral) return [String(value)];
  const list: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return [...new Set(list.map((one) => String(one).trim()).filter((one) => one !== ''))];
}
