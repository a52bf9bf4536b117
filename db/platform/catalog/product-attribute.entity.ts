import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { AttributeSettings, StoreLabel } from '../../../domain/platform/catalog/attribute-settings.ts';

const scopes = ['global', 'website', 'store'] as const;

/**
 * An attribute of the shop's own, or what the shop keeps of one of the platform's: its labels, its options and its
 * settings. The platform's are `platformAttributes`.
 */
export const ProductAttributeRow = defineEntity({
  name: 'ProductAttributeRow',
  tableName: 'product_attribute',
  properties: {
    attributeId: p.integer().primary().autoincrement(),
    attributeCode: p.string().length(60).unique(),
    /** One of `attributeInputs`. Without more it came with a product: `text`, or `weee` for a list of fixed taxes. */
    frontendInput: p.string().length(20).default('text'),
    /** Null: it came with a product, and nobody has named it. */
    label: p.string().length(255).nullable(),
    storeLabels: p.json<StoreLabel[]>().defaultRaw(`'[]'::jsonb`),
    scope: p.enum(scopes).default('global'),
    isRequired: p.boolean().default(false),
    isUnique: p.boolean().default(false),
    settings: p.json<AttributeSettings>().defaultRaw(`'{}'::jsonb`),
  },
});

export type ProductAttributeRow = InferEntity<typeof ProductAttributeRow>;
