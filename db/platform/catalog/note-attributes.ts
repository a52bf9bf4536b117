import type { EntityManager } from '@mikro-orm/postgresql';
import { defaultSet } from '../../../domain/platform/catalog/attribute-sets.ts';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import { integer, texts } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { isFixedTaxes } from './save-fixed-product-taxes.ts';

/** The permitted form of an attribute's code. */
const attributeCode = /^[a-z][a-z0-9_]{0,59}$/;

/**
 * Stores attributes that the shop uses and the platform does not define; a repeat stores none. One that nobody has
 * named yet is in the sets of the products that have it, in the first group of each.
 */
export async function noteAttributes(
  em: EntityManager,
  values: Readonly<Record<string, unknown>>,
  attributeSetId: number = defaultSet,
): Promise<void> {
  const made = Object.entries(values).filter(
    ([code, value]) => value !== null && !isOfPlatform(code) && attributeCode.test(code),
  );
  if (made.length === 0) return;
  // Sorted, so that two concurrent saves never deadlock.
  const sorted = made.toSorted(([one], [other]) => (one < other ? -1 : 1));
  await note.run(em, {
    setId: attributeSetId,
    codes: sorted.map(([code]) => code),
    inputs: sorted.map(([, value]) => (isFixedTaxes(value) ? 'weee' : 'text')),
  });
}

const note = statement({
  takes: { setId: integer, codes: texts, inputs: texts },
  text: `
    with made as (
      insert into product_attribute (attribute_code, frontend_input)
      select n.code, n.input from unnest($codes::text[], $inputs::text[]) as n (code, input)
      where not exists (select from product_attribute a where a.attribute_code = n.code)
      on conflict (attribute_code) do nothing returning attribute_code),
    nameless as (
      select attribute_code from made
      union select attribute_code from product_attribute where attribute_code = any($codes::text[]) and label is null)
    insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code)
    select $setId, g.attribute_group_id, n.attribute_code
    from nameless n, (
      select attribute_group_id from attribute_group where attribute_set_id = $setId
      order by sort_order, attribute_group_id limit 1) g
    where not exists (
      select from attribute_in_set i where i.attribute_set_id = $setId and i.attribute_code = n.attribute_code)
    order by n.attribute_code
    on conflict (attribute_set_id, attribute_code) do nothing`,
});
