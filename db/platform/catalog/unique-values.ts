import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { isEmptyValue, type AttributeDemand } from '../../../domain/platform/catalog/scoped-values.ts';
import { sql } from '../../support/sql.ts';
import type { Product } from './product.entity.ts';

export const valueIsNotUnique = 'The value of the "%1" attribute isn\'t unique. Set a unique value and try again.';

/** How a value is compared: without regard to case, as on the platform; of a long one, its fingerprint. */
const keyOf = (value: string) =>
  `case when length(${value}) <= 200 then lower(${value}) else encode(sha256(convert_to(lower(${value}), 'UTF8')),
    'hex') end`;

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

const letGo = sql('unique-values.letGo')`
  delete from unique_value
  where attribute_id = $attributeId and product_id = $productId and value not in (${keys})`;

/** Nothing is noted for an attribute that was deleted meanwhile. */
const take = sql('unique-values.take')`
  insert into unique_value (attribute_id, value, product_id)
  select a.attribute_id, k.key, $productId
  from (select attribute_id from product_attribute where attribute_id = $attributeId for key share) a, (${keys}) k
  order by k.key
  on conflict (attribute_id, value) do nothing`;

const isOfOther = sql('unique-values.isOfOther')`
  select exists (select from unique_value u
    where u.attribute_id = $attributeId and u.product_id <> $productId and u.value in (${keys})) as is_said`;

/** A product that is being deleted is waited for, and then has no value. */
const noteAll = sql('unique-values.noteAll')`
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
  on conflict (attribute_id, value) do nothing`;

const forgetAll = sql('unique-values.forgetAll')`delete from unique_value where attribute_id = $attributeId`;

/** Takes an attribute from every product, in all store views. A repeat changes nothing. */
export async function forgetAttribute(tx: EntityManager, code: string): Promise<void> {
  await forgetValuesForgetAll.run(tx, { code });
  await forgetScoped.run(tx, { code });
  await forgetTaxes.run(tx, { code });
}

/** Takes one choice of an attribute from every product, in all store views. A repeat changes nothing. */
export async function forgetOption(tx: EntityManager, choice: { code: string; value: string }): Promise<void> {
  await forgetChoice.run(tx, choice);
  await forgetScopedChoice.run(tx, choice);
}

const forgetValuesForgetAll = sql('unique-values.forgetValuesForgetAll')`
  update product set custom_attributes = custom_attributes - $code::text
  where jsonb_exists(custom_attributes, $code)`;

/** The own values of a scope, without the attribute. */
const without = `jsonb_set(s.value, '{customAttributes}', (s.value -> 'customAttributes') - $code::text)`;

const forgetScoped = sql('unique-values.forgetScoped')`
  update product set scoped_values = (
    select jsonb_object_agg(s.key, case when jsonb_exists(s.value -> 'customAttributes', $code)
      then ${without} else s.value end)
    from jsonb_each(scoped_values) s)
  where exists (
    select from jsonb_each(scoped_values) s where jsonb_exists(s.value -> 'customAttributes', $code))`;

const forgetTaxes = sql('unique-values.forgetTaxes')`delete from fixed_product_tax where attribute_code = $code`;

/** What is left of ids with commas; null where nothing is. */
const left = (value: string) =>
  `nullif(array_to_string(array_remove(string_to_array(${value}, ','), $value::text), ','), '')`;

const forgetChoice = sql('unique-values.forgetChoice')`
  update product set custom_attributes = custom_attributes - $code::text
    || jsonb_strip_nulls(jsonb_build_object($code::text, ${left('custom_attributes ->> $code::text')}))
  where $value::text = any(string_to_array(custom_attributes ->> $code::text, ','))`;

const scopedValue = `s.value #>> array['customAttributes', $code::text]`;

const forgetScopedChoice = sql('unique-values.forgetScopedChoice')`
  update product set scoped_values = (
    select jsonb_object_agg(s.key, case when $value::text = any(string_to_array(${scopedValue}, ','))
      then jsonb_set(s.value, '{customAttributes}', (s.value -> 'customAttributes') - $code::text
        || jsonb_strip_nulls(jsonb_build_object($code::text, ${left(scopedValue)})))
      else s.value end)
    from jsonb_each(scoped_values) s)
  where exists (
    select from jsonb_each(scoped_values) s where $value::text = any(string_to_array(${scopedValue}, ',')))`;

/** Whether customers choose a product by the attribute. */
export const isChosenBy = async (tx: EntityManager, attribute: { id: string; code: string }): Promise<boolean> =>
  (await isUsed.first(tx, attribute))?.isSaid === true;

/** An option of a product names its attribute by the id or by the code. */
const isUsed = sql('unique-values.isUsed')`
  select exists (
    select from product p, jsonb_array_elements(p.extension_attributes -> 'configurable_product_options') o
    where p.type_id = 'configurable' and o ->> 'attribute_id' in ($id, $code)) as is_said`;
