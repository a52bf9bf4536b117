import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { hasOptions } from '../../../domain/platform/catalog/attribute-inputs.ts';
import { platformAttribute } from '../../../domain/platform/catalog/product-attributes.ts';
import { keepOfPlatform } from './note-attributes.ts';
import { ProductAttributeRow } from './product-attribute.entity.ts';
import { findProductAttribute, noSuchAttribute } from './search-product-attributes.ts';

/** Attributes of the platform whose options are the shop's. The other choices come from elsewhere. */
const openChoices: readonly string[] = ['color', 'manufacturer'];

/** Whether the shop decides what can be chosen. */
export const takesOptions = ({
  attributeCode,
  frontendInput,
}: Pick<ProductAttributeRow, 'attributeCode' | 'frontendInput'>) =>
  hasOptions(frontendInput) && (!platformAttribute(attributeCode) || openChoices.includes(attributeCode));

/**
 * Locks what the shop keeps of an attribute, by its code or its id. One of the platform's gets a row with the first
 * change. Refused with: 404 unknown.
 */
export async function lockAttribute(tx: EntityManager, code: string): Promise<ProductAttributeRow> {
  const { attribute_code: attributeCode } = await findProductAttribute(tx, code);
  const own = platformAttribute(attributeCode);
  if (own) await keepOfPlatform(tx, attributeCode, own);
  const row = await tx.findOne(ProductAttributeRow, { attributeCode }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw noSuchAttribute(code);
  return row;
}
