import type { EntityManager } from '@mikro-orm/postgresql';
import { assignToSet } from '../../db/platform/catalog/attributes-of-set.ts';
import { lockAttribute } from '../../db/platform/catalog/lock-attribute.ts';
import { ProductAttributeOption } from '../../db/platform/catalog/product-attribute-option.entity.ts';
import { createProductAttribute } from '../../db/platform/catalog/save-product-attribute.ts';
import { lookUpProductAttribute } from '../../db/platform/catalog/search-product-attributes.ts';
import { defaultSet } from '../../domain/platform/catalog/attribute-sets.ts';
import { shirt } from './assortment.ts';
import { goOnAfter } from './go-on-after.ts';

/** "Product Details" of the default set. */
const productDetails = 7;

const own = [
  { attributeCode: 'barcode', frontendInput: 'text', label: 'Barcode' },
  { attributeCode: 'size', frontendInput: 'select', label: 'Size' },
  { attributeCode: 'eco_fee', frontendInput: 'weee', label: 'Recycling fee' },
];

/** The attributes of the shop's own, and what can be chosen of sizes and colours. A repeat makes none. */
export async function seedAttributes(em: EntityManager): Promise<void> {
  for (const [at, attribute] of own.entries()) {
    const { attributeCode } = attribute;
    if (await lookUpProductAttribute(em, attributeCode)) continue;
    await createProductAttribute(em, { ...attribute, settings: {} });
    const place = { attributeSetId: defaultSet, attributeGroupId: productDetails };
    await assignToSet(em, { ...place, attributeCode, sortOrder: 200 + at });
  }
  await em.transactional(async (tx) => {
    await seedOptions(tx, 'size', shirt.sizes);
    await seedOptions(tx, 'color', shirt.colours);
  });
  await goOnOptions.all(em);
}

async function seedOptions(em: EntityManager, code: string, options: readonly { label: string; optionId: number }[]) {
  const { attributeId } = await lockAttribute(em, code);
  const rows = options.map((option, sortOrder) => ({ ...option, attributeId, storeLabels: [], sortOrder }));
  await em.upsertMany(ProductAttributeOption, rows, { onConflictFields: ['optionId'], onConflictAction: 'ignore' });
}

const goOnOptions = goOnAfter('product_attribute_option', 'option_id');
