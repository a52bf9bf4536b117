import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The attributes that a kind of goods has, such as those of all shoes (platform facts 9.1). */
export const AttributeSet = defineEntity({
  name: 'AttributeSet',
  tableName: 'attribute_set',
  properties: {
    attributeSetId: p.integer().primary().autoincrement(),
    attributeSetName: p.string().length(255).unique(),
    sortOrder: p.integer().default(0),
  },
});

export type AttributeSet = InferEntity<typeof AttributeSet>;
