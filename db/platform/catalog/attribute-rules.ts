import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { hasOptions } from '../../../domain/platform/catalog/attribute-inputs.ts';
import { scopeOf, type ScopeOf } from '../../../domain/platform/catalog/product-attributes.ts';
import { surely, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { ProductAttributeRow } from './product-attribute.entity.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** What the shop says of attributes. */
export interface AttributeRules {
  scopeOf: ScopeOf;
  /** The ids that a product may have, as texts, and whether it may have several; undefined: anything. */
  choicesOf: (code: string) => { ids: readonly string[]; areSeveral: boolean } | undefined;
}

/** Reads what the shop says of these attributes, in one round trip. */
export async function readAttributeRules(em: EntityManager, codes: readonly string[]): Promise<AttributeRules> {
  const rows = codes.length === 0 ? [] : await rulesOf.all(em, { codes });
  const byCode = new Map(rows.map((row) => [row.attributeCode, row]));
  return {
    scopeOf: (code) => byCode.get(code)?.scope ?? scopeOf(code),
    choicesOf(code) {
      const row = byCode.get(code);
      if (!row || row.optionIds.length === 0 || !hasOptions(row.frontendInput)) return undefined;
      return { ids: row.optionIds, areSeveral: row.frontendInput === 'multiselect' };
    },
  };
}

const rulesOf = statement({
  takes: { codes: texts },
  gives: { ...of(ProductAttributeRow, 'attributeCode', 'frontendInput', 'scope'), optionIds: surely(texts) },
  text: `
    select a.attribute_code, a.frontend_input, a.scope, array(
      select o.option_id::text from product_attribute_option o where o.attribute_id = a.attribute_id) as option_ids
    from product_attribute a where a.attribute_code = any($codes::text[])`,
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
