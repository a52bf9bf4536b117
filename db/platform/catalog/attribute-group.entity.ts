import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { AttributeSet } from './attribute-set.entity.ts';

/** Attributes of a set that are shown together, such as all prices (platform facts 9.1). */
export const AttributeGroup = defineEntity({
  name: 'AttributeGroup',
  tableName: 'attribute_group',
  properties: {
    attributeGroupId: p.integer().primary().autoincrement(),
    attributeSetId: () => p.manyToOne(AttributeSet).mapToPk().fieldName('attribute_set_id').deleteRule('cascade'),
    attributeGroupName: p.string().length(255),
    attributeGroupCode: p.string().length(255),
    sortOrder: p.integer().default(0),
  },
  uniques: [
    { name: 'attribute_group_name_once', properties: ['attributeSetId', 'attributeGroupName'] },
    { name: 'attribute_group_code_once', properties: ['attributeSetId', 'attributeGroupCode'] },
  ],
});

export type AttributeGroup = InferEntity<typeof AttributeGroup>;
