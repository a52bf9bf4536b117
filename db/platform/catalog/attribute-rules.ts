import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { hasOptions } from '../../../domain/platform/catalog/attribute-inputs.ts';
import type { AttributeDemand } from '../../../domain/platform/catalog/demanded-values.ts';
import { isOfPlatform, scopeOf, type ScopeOf } from '../../../domain/platform/catalog/product-attributes.ts';
import { flag, integer, surely, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { ProductAttributeRow } from './product-attribute.entity.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** What the shop says of attributes. */
export interface AttributeRules {
  scopeOf: ScopeOf;
  /** The ids that a product may have, as texts, and whether it may have several; undefined: anything. */
  choicesOf: (code: string) => { ids: readonly string[]; areSeveral: boolean } | undefined;
  /** Of every attribute read; the platform's own have rules elsewhere. */
  demands: readonly AttributeDemand[];
}

interface Asked {
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
  { codes, attributeSetId, isWholeSet }: Asked,
): Promise<AttributeRules> {
  const isAsked = codes.length > 0 || isWholeSet;
  const rows = isAsked ? await rulesOf.all(em, { codes, setId: attributeSetId, isWholeSet }) : [];
  const byCode = new Map(rows.map((row) => [row.attributeCode, row]));
  return {
    scopeOf: (code) => byCode.get(code)?.scope ?? scopeOf(code),
    choicesOf(code) {
      const row = byCode.get(code);
      if (!row || row.optionIds.length === 0 || !hasOptions(row.frontendInput)) return undefined;
      return { ids: row.optionIds, areSeveral: row.frontendInput === 'multiselect' };
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

const rulesOf = statement({
  takes: { codes: texts, setId: integer, isWholeSet: flag },
  gives: {
    ...of(ProductAttributeRow, 'attributeId', 'attributeCode', 'frontendInput', 'scope', 'label'),
    ...of(ProductAttributeRow, 'isRequired', 'isUnique', 'settings'),
    optionIds: surely(texts),
    isInSet: surely(flag),
  },
  text: `
    select a.attribute_id, a.attribute_code, a.frontend_input, a.scope, a.label, a.is_required, a.is_unique, a.settings,
      i.attribute_code is not null as is_in_set, array(
        select o.option_id::text from product_attribute_option o where o.attribute_id = a.attribute_id) as option_ids
    from product_attribute a
    left join attribute_in_set i on i.attribute_code = a.attribute_code and i.attribute_set_id = $setId
    where a.attribute_code = any($codes::text[])
      or $isWholeSet and i.attribute_code is not null and (a.is_required or a.settings ->> 'default_value' <> '')`,
});

/**
 * Attributes as a product keeps them: several choices are one text with commas, as on the platform.
 *
 * What a product has already passes: it may be older than the options. Refused with 400: an id of no option.
 */
export function withKnownChoices(
  given: Attributes,
  { choicesOf }: AttributeRules,
  before: Attributes,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([code, value]) => {
      const choices = choicesOf(code);
      if (!choices || value === null || value === undefined || value === '') return [code, value];
      const chosen = chosenIn(value, choices.areSeveral);
      const kept = chosen.join(',');
      if (kept === String(before[code])) return [code, value];
      if (chosen.some((one) => !choices.ids.includes(one))) throw invalid(wrongChoice, [code]);
      return [code, kept];
    }),
  );
}

const wrongChoice = 'Attribute "%1" has invalid value.';

function chosenIn(value: unknown, areSeveral: boolean): string[] {
  if (!areSeveral) return [String(value)];
  const list: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return [...new Set(list.map((one) => String(one).trim()).filter((one) => one !== ''))];
}
