import { text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { uses } from './uses-of.ts';

/** What has a value of an attribute, in any store view. */
export const usesOfAttribute = statement({
  takes: { code: text },
  gives: uses,
  text: `
    select 'products' as what, count(*) as times from product p
    where jsonb_exists(p.custom_attributes, $code)
      or exists (select from jsonb_each(p.scoped_values) s where jsonb_exists(s.value -> 'customAttributes', $code))
      or exists (select from fixed_product_tax t where t.product_id = p.entity_id and t.attribute_code = $code)`,
});

const isIn = (value: string) => `$value::text = any(string_to_array(${value}, ','))`;

/** What has an option of an attribute, in any store view. */
export const usesOfOption = statement({
  takes: { code: text, value: text },
  gives: uses,
  text: `
    select 'products' as what, count(*) as times from product p
    where ${isIn('p.custom_attributes ->> $code::text')}
      or exists (select from jsonb_each(p.scoped_values) s
        where ${isIn(`s.value #>> array['customAttributes', $code::text]`)})`,
});
