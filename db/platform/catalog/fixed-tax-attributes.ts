import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely, text } from '../../support/kinds.ts';
import { statement, type RowFrom } from '../../support/statement.ts';

/** SQL of an attribute's label in a store view; its code where nobody has named it. */
export const labelInView = (attribute: string, storeId: string) => `
  coalesce(
    (select v ->> 'label' from jsonb_array_elements(${attribute}.store_labels) v
     where (v ->> 'storeId')::integer = ${storeId} limit 1),
    ${attribute}.label, ${attribute}.attribute_code)`;

/** The fixed-tax attributes of the catalog: those of input type `weee`, with their labels in a store view. */
export const readFixedTaxAttributes = (em: EntityManager, storeId: number): Promise<RowFrom<typeof read>[]> =>
  read.all(em, { storeId });

/** More than any shop has; a register keeps them all. */
const mostAttributes = 200;

const read = statement({
  takes: { storeId: integer },
  gives: { code: surely(text), label: surely(text) },
  text: `
    select a.attribute_code as code, ${labelInView('a', '$storeId')} as label from product_attribute a
    where a.frontend_input = 'weee' order by a.attribute_code limit ${mostAttributes}`,
});
