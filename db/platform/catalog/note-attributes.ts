import type { EntityManager } from '@mikro-orm/postgresql';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import { texts } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { isFixedTaxes } from './save-fixed-product-taxes.ts';

/** The permitted form of an attribute's code. */
const attributeCode = /^[a-z][a-z0-9_]{0,59}$/;

/** Stores attributes that the shop uses and the platform does not define; a repeat stores none. */
export async function noteAttributes(em: EntityManager, values: Readonly<Record<string, unknown>>): Promise<void> {
  const made = Object.entries(values).filter(
    ([code, value]) => value !== null && !isOfPlatform(code) && attributeCode.test(code),
  );
  if (made.length === 0) return;
  // Sorted, so that two concurrent saves never deadlock.
  const sorted = made.toSorted(([one], [other]) => (one < other ? -1 : 1));
  await note.run(em, {
    codes: sorted.map(([code]) => code),
    inputs: sorted.map(([, value]) => (isFixedTaxes(value) ? 'weee' : 'text')),
  });
}

const note = statement({
  takes: { codes: texts, inputs: texts },
  text: `
    insert into product_attribute (attribute_code, frontend_input)
    select n.code, n.input from unnest($codes::text[], $inputs::text[]) as n (code, input)
    where not exists (select from product_attribute a where a.attribute_code = n.code)
    on conflict (attribute_code) do nothing`,
});
