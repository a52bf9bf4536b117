import type { EntityManager } from '@mikro-orm/postgresql';
import { hasOptions } from '../../domain/platform/catalog/attribute-inputs.ts';
import type { StoreLabel } from '../../domain/platform/catalog/attribute-settings.ts';
import { isOfPlatform } from '../../domain/platform/catalog/product-attributes.ts';
import type { ShopRecord } from '../../domain/shop/shop-records.ts';
import { AttributeGroup } from '../platform/catalog/attribute-group.entity.ts';
import { AttributeInSet } from '../platform/catalog/attribute-in-set.entity.ts';
import { AttributeSet } from '../platform/catalog/attribute-set.entity.ts';
import { ProductAttributeOption } from '../platform/catalog/product-attribute-option.entity.ts';
import { ProductAttributeRow } from '../platform/catalog/product-attribute.entity.ts';
import { StoreView } from '../platform/stores/store-view.entity.ts';

/** Attributes with their options, and attribute sets with their groups. */
export const readCatalog = async (em: EntityManager): Promise<ShopRecord[]> => [
  ...(await readAttributes(em)),
  ...(await readSets(em)),
];

/** The shop's own, and those of the platform's of which the shop keeps something. */
async function readAttributes(em: EntityManager): Promise<ShopRecord[]> {
  const rows = await em.find(ProductAttributeRow, {}, { orderBy: { attributeId: 'asc' } });
  const options = await em.find(ProductAttributeOption, {}, { orderBy: { sortOrder: 'asc', optionId: 'asc' } });
  const views = await em.find(StoreView, {}, { orderBy: { storeId: 'asc' } });
  const byView = (labels: readonly StoreLabel[]) =>
    Object.fromEntries(
      labels.flatMap(({ storeId, label }) => {
        const view = views.find((one) => one.storeId === storeId);
        return view ? [[view.code, label] as const] : [];
      }),
    );
  return rows.map((row): ShopRecord => {
    const own = options.filter(({ attributeId }) => attributeId === row.attributeId);
    const { default_value: usual, ...others } = row.settings;
    const isChoice = hasOptions(row.frontendInput);
    const chosen = (usual ?? '').split(',');
    return {
      kind: 'attribute',
      name: row.attributeCode,
      fields: {
        ...(isOfPlatform(row.attributeCode)
          ? {}
          : { input: row.frontendInput, scope: row.scope, isRequired: row.isRequired, isUnique: row.isUnique }),
        ...(row.label === null || row.label === undefined ? {} : { label: row.label }),
        labels: byView(row.storeLabels),
        settings: isChoice ? others : row.settings,
        ...(isChoice
          ? {
              options: own.map(({ label, storeLabels }) => ({ label, labels: byView(storeLabels) })),
              defaults: chosen.flatMap((id) => own.find(({ optionId }) => String(optionId) === id)?.label ?? []),
            }
          : {}),
      },
    };
  });
}

async function readSets(em: EntityManager): Promise<ShopRecord[]> {
  const sets = await em.find(AttributeSet, {}, { orderBy: { attributeSetId: 'asc' } });
  const groups = await em.find(AttributeGroup, {}, { orderBy: { sortOrder: 'asc', attributeGroupId: 'asc' } });
  const placed = await em.find(AttributeInSet, {}, { orderBy: { sortOrder: 'asc', entityAttributeId: 'asc' } });
  return sets.map(({ attributeSetId: id, attributeSetName, sortOrder }): ShopRecord => ({
    kind: 'attributeSet',
    name: attributeSetName,
    fields: {
      sortOrder,
      groups: groups
        .filter(({ attributeSetId }) => attributeSetId === id)
        .map((group) => ({
          ...{ code: group.attributeGroupCode, name: group.attributeGroupName, sortOrder: group.sortOrder },
          attributes: placed
            .filter(({ attributeGroupId }) => attributeGroupId === group.attributeGroupId)
            .map(({ attributeCode }) => attributeCode),
        })),
    },
  }));
}
