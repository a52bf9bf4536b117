import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { AttributeGroup } from './attribute-group.entity.ts';
import { AttributeSet } from './attribute-set.entity.ts';

/**
 * An attribute of a set, by its code: most of the platform's own have no row of their own. Within a set it is in one
 * group (platform facts 9.1).
 */
export const AttributeInSet = defineEntity({
  name: 'AttributeInSet',
  tableName: 'attribute_in_set',
  properties: {
    entityAttributeId: p.integer().primary().autoincrement(),
    attributeSetId: () => p.manyToOne(AttributeSet).mapToPk().fieldName('attribute_set_id').deleteRule('cascade'),
    attributeGroupId: () =>
      p.manyToOne(AttributeGroup).mapToPk().fieldName('attribute_group_id').index().deleteRule('cascade'),
    attributeCode: p.string().length(60).index(),
    sortOrder: p.integer().default(0),
  },
  uniques: [{ name: 'attribute_in_set_once', properties: ['attributeSetId', 'attributeCode'] }],
});

export type AttributeInSet = InferEntity<typeof AttributeInSet>;
