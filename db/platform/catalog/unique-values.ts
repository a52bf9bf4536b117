import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { isEmptyValue, type AttributeDemand } from '../../../domain/platform/catalog/demanded-values.ts';
import { flag, integer, text, texts } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { Product } from './product.entity.ts';

export const valueIsNotUnique = 'The value of the "%1" attribute isn\'t unique. Set a unique value and try again.';

/** How a value is compared: without regard to case, as on the platform; of a long one, its fingerprint. */
const keyOf = (value: string) =>
  `case when length(${value}) <= 200 then lower(${value}) else encode(sha256(convert_to(lower(${value}), 'UTF8')), 'hex') end`;

/**
 * Notes the values of unique attributes that a product has in any store view. A repeat changes nothing; of two products
 * with one value at the same time, the second is refused.
 *
 * Refused with 400: a value that another product has.
 */
export async function keepUniqueValues(
  em: EntityManager,
  product: Product,
  demands: readonly AttributeDemand[],
): Promise<void> {
  for (const { attributeId, code, label } of demands.filter(({ isUnique }) => isUnique)) {
    const taken = { attributeId, productId: product.entityId, values: valuesOf(product, code) };
    await letGo.run(em, taken);
    await take.run(em, taken);
    const other = await isOfOther.first(em, taken);
    if (other?.isSaid) throw invalid(valueIsNotUnique, [label]);
  }
}

/** Notes who has the values of an attribute that is unique from now on: of one value, the oldest product. */
export const noteUniqueValues = (em: EntityManager, attribute: { attributeId: number; code: string }) =>
  noteAll.run(em, attribute);

/** From now on any product may have any value. */
export const forgetUniqueValues = (em: EntityManager, attributeId: number) => forgetAll.run(em, { attributeId });

/** Sorted, so that two concurrent saves never deadlock. */
const valuesOf = ({ customAttributes, scopedValues }: Product, code: string): string[] => {
  const ofViews = Object.values(scopedValues ?? {}).map(({ customAttributes: own }) => own?.[code]);
  const values = [customAttributes?.[code], ...ofViews].filter((value) => !isEmptyValue(value));
  return [...new Set(values.map(String))].toSorted();
};

const keys = `select distinct ${keyOf('v.value')} as key from unnest($values::text[]) as v (value)`;

const letGo = statement({
  takes: { attributeId: integer, productId: integer, values: texts },
  text: `
    delete from unique_value
    where attribute_id = $attributeId and product_id = $productId and value not in (${keys})`,
});

/** Nothing is noted for an attribute that was deleted meanwhile. */
const take = statement({
  takes: { attributeId: integer, productId: integer, values: texts },
  text: `
    insert into unique_value (attribute_id, value, product_id)
    select a.attribute_id, k.key, $productId
    from (select attribute_id from product_attribute where attribute_id = $attributeId for key share) a, (${keys}) k
    order by k.key
    on conflict (attribute_id, value) do nothing`,
});

const isOfOther = statement({
  takes: { attributeId: integer, productId: integer, values: texts },
  gives: { isSaid: flag },
  text: `
    select exists (select from unique_value u
      where u.attribute_id = $attributeId and u.product_id <> $productId and u.value in (${keys})) as is_said`,
});

/** A product that is being deleted is waited for, and then has no value. */
const noteAll = statement({
  takes: { attributeId: integer, code: text },
  text: `
    with had as (
      select p.entity_id, p.custom_attributes ->> $code::text as value from product p
      union all
      select p.entity_id, s.value #>> array['customAttributes', $code::text]
      from product p, jsonb_each(p.scoped_values) s),
    held as (
      select p.entity_id from product p where p.entity_id in (select h.entity_id from had h where h.value <> '')
      order by p.entity_id for key share)
    insert into unique_value (attribute_id, value, product_id)
    select distinct on (${keyOf('h.value')}) $attributeId, ${keyOf('h.value')}, h.entity_id
    from had h join held using (entity_id)
    where h.value <> '' order by ${keyOf('h.value')}, h.entity_id
    on conflict (attribute_id, value) do nothing`,
});

const forgetAll = statement({
  takes: { attributeId: integer },
  text: 'delete from unique_value where attribute_id = $attributeId',
});
