import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import { flag, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { forgetAttribute } from './forget-values.ts';
import { lockAttribute } from './lock-attribute.ts';
import { findProductAttribute } from './search-product-attributes.ts';

export const attributeIsOfSystem = "The system attribute can't be deleted.";
export const attributeIsUsed = 'This attribute is used in configurable products.';

/**
 * Deletes an attribute of the shop's own with its options, and takes it from every product (platform facts 9.1). A
 * repeat finds nothing.
 *
 * Refused with: 404 unknown · 400 one of the platform's, or one by which customers choose a product.
 */
export const deleteProductAttribute = (em: EntityManager, code: string): Promise<void> =>
  transact(em, async (tx) => {
    const { attribute_id: id, attribute_code: attributeCode } = await findProductAttribute(tx, code);
    if (isOfPlatform(attributeCode)) throw invalid(attributeIsOfSystem);
    const row = await lockAttribute(tx, attributeCode);
    const used = await isUsed.first(tx, { id: String(id), code: attributeCode });
    if (used?.isSaid) throw invalid(attributeIsUsed);
    tx.remove(row);
    await tx.flush();
    await leaveSets.run(tx, { code: attributeCode });
    await forgetAttribute(tx, attributeCode);
  });

const leaveSets = statement({
  takes: { code: text },
  text: 'delete from attribute_in_set where attribute_code = $code',
});

/** An option of a product names its attribute by the id or by the code. */
const isUsed = statement({
  takes: { id: text, code: text },
  gives: { isSaid: flag },
  text: `
    select exists (
      select from product p, jsonb_array_elements(p.extension_attributes -> 'configurable_product_options') o
      where p.type_id = 'configurable' and o ->> 'attribute_id' in ($id, $code)) as is_said`,
});
