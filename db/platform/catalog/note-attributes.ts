import type { EntityManager } from '@mikro-orm/postgresql';
import { defaultSet } from '../../../domain/platform/catalog/attribute-sets.ts';
import { isOfPlatform, type platformAttribute } from '../../../domain/platform/catalog/product-attributes.ts';
import { flag, integer, text, texts } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/**
 * Makes attributes that nobody has named yet: a line of text that holds everywhere. A repeat makes none. They are in the
 * default set at once, and in other sets as soon as products of those have them.
 */
export async function makeAttributes(em: EntityManager, codes: readonly string[]): Promise<void> {
  // Sorted, so that two concurrent calls never deadlock.
  await make.run(em, { codes: codes.filter((code) => !isOfPlatform(code)).toSorted() });
  await placeAttributes(em, Object.fromEntries(codes.map((code) => [code, ''])), defaultSet);
}

const make = statement({
  takes: { codes: texts },
  text: `
    insert into product_attribute (attribute_code)
    select n.code from unnest($codes::text[]) as n (code)
    where not exists (select from product_attribute a where a.attribute_code = n.code)
    on conflict (attribute_code) do nothing`,
});

/**
 * Puts attributes that nobody has named yet into the set of a product that has them, in its first group. A repeat changes
 * nothing.
 */
export async function placeAttributes(
  em: EntityManager,
  values: Readonly<Record<string, unknown>>,
  attributeSetId: number = defaultSet,
): Promise<void> {
  const codes = Object.entries(values).flatMap(([code, value]) => (value === null || isOfPlatform(code) ? [] : [code]));
  if (codes.length > 0) await place.run(em, { setId: attributeSetId, codes });
}

const place = statement({
  takes: { setId: integer, codes: texts },
  text: `
    insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code)
    select $setId, g.attribute_group_id, a.attribute_code
    from product_attribute a, (
      select attribute_group_id from attribute_group where attribute_set_id = $setId
      order by sort_order, attribute_group_id limit 1) g
    where a.attribute_code = any($codes::text[]) and a.label is null and not exists (
      select from attribute_in_set i where i.attribute_set_id = $setId and i.attribute_code = a.attribute_code)
    order by a.attribute_code
    on conflict (attribute_set_id, attribute_code) do nothing`,
});

type OfPlatform = NonNullable<ReturnType<typeof platformAttribute>>;

/** Makes the row of one of the platform's own attributes, which the first change of it needs. A repeat makes none. */
export const keepOfPlatform = (em: EntityManager, attributeCode: string, own: OfPlatform): Promise<number> => {
  const { input, label, scope, isRequired } = own;
  return keep.run(em, { attributeCode, input, label, scope, isRequired });
};

const keep = statement({
  takes: { attributeCode: text, input: text, label: text, scope: text, isRequired: flag },
  text: `
    insert into product_attribute (attribute_code, frontend_input, label, scope, is_required)
    select $attributeCode::text, $input::text, $label::text, $scope::text, $isRequired::boolean
    where not exists (select from product_attribute a where a.attribute_code = $attributeCode::text)
    on conflict (attribute_code) do nothing`,
});
