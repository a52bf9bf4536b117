import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** Takes an attribute from every product, in all store views. A repeat changes nothing. */
export async function forgetAttribute(tx: EntityManager, code: string): Promise<void> {
  await forgetAll.run(tx, { code });
  await forgetScoped.run(tx, { code });
  await forgetTaxes.run(tx, { code });
}

/** Takes one choice of an attribute from every product, in all store views. A repeat changes nothing. */
export async function forgetOption(tx: EntityManager, choice: { code: string; value: string }): Promise<void> {
  await forgetChoice.run(tx, choice);
  await forgetScopedChoice.run(tx, choice);
}

const forgetAll = statement({
  takes: { code: text },
  text: `
    update product set custom_attributes = custom_attributes - $code::text
    where jsonb_exists(custom_attributes, $code)`,
});

/** The own values of a scope, without the attribute. */
const without = `jsonb_set(s.value, '{customAttributes}', (s.value -> 'customAttributes') - $code::text)`;

const forgetScoped = statement({
  takes: { code: text },
  text: `
    update product set scoped_values = (
      select jsonb_object_agg(s.key, case when jsonb_exists(s.value -> 'customAttributes', $code)
        then ${without} else s.value end)
      from jsonb_each(scoped_values) s)
    where exists (
      select from jsonb_each(scoped_values) s where jsonb_exists(s.value -> 'customAttributes', $code))`,
});

const forgetTaxes = statement({
  takes: { code: text },
  text: 'delete from fixed_product_tax where attribute_code = $code',
});

/** What is left of ids with commas; null where nothing is. */
const left = (value: string) =>
  `nullif(array_to_string(array_remove(string_to_array(${value}, ','), $value::text), ','), '')`;

const forgetChoice = statement({
  takes: { code: text, value: text },
  text: `
    update product set custom_attributes = custom_attributes - $code::text
      || jsonb_strip_nulls(jsonb_build_object($code::text, ${left('custom_attributes ->> $code::text')}))
    where $value::text = any(string_to_array(custom_attributes ->> $code::text, ','))`,
});

const scopedValue = `s.value #>> array['customAttributes', $code::text]`;

const forgetScopedChoice = statement({
  takes: { code: text, value: text },
  text: `
    update product set scoped_values = (
      select jsonb_object_agg(s.key, case when $value::text = any(string_to_array(${scopedValue}, ','))
        then jsonb_set(s.value, '{customAttributes}', (s.value -> 'customAttributes') - $code::text
          || jsonb_strip_nulls(jsonb_build_object($code::text, ${left(scopedValue)})))
        else s.value end)
      from jsonb_each(scoped_values) s)
    where exists (
      select from jsonb_each(scoped_values) s where $value::text = any(string_to_array(${scopedValue}, ',')))`,
});

/** Whether customers choose a product by the attribute. */
export const isChosenBy = async (tx: EntityManager, attribute: { id: string; code: string }): Promise<boolean> =>
  (await isUsed.first(tx, attribute))?.isSaid === true;

/** An option of a product names its attribute by the id or by the code. */
const isUsed = statement({
  takes: { id: text, code: text },
  gives: { isSaid: flag },
  text: `
    select exists (
      select from product p, jsonb_array_elements(p.extension_attributes -> 'configurable_product_options') o
      where p.type_id = 'configurable' and o ->> 'attribute_id' in ($id, $code)) as is_said`,
});
