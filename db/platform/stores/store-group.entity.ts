import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Website } from './website.entity.ts';

/** A group of store views that share a catalogue (platform facts 11). Id 0 belongs to the admin scope. */
export const StoreGroup = defineEntity({
  name: 'StoreGroup',
  tableName: 'store_group',
  properties: {
    groupId: p.integer().primary(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').index().deleteRule('restrict'),
    code: p.string().length(32).unique(),
    name: p.string().length(255),
    rootCategoryId: p.integer().default(0),
    defaultStoreId: p.integer().default(0),
  },
});

export type StoreGroup = InferEntity<typeof StoreGroup>;
