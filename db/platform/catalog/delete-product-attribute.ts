import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import { transact } from '../../support/transact.ts';
import { AttributeInSet } from './attribute-in-set.entity.ts';
import { forgetAttribute, isChosenBy } from './forget-values.ts';
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
    if (await isChosenBy(tx, { id: String(id), code: attributeCode })) throw invalid(attributeIsUsed);
    tx.remove(row);
    await tx.flush();
    await tx.nativeDelete(AttributeInSet, { attributeCode });
    await forgetAttribute(tx, attributeCode);
  });
