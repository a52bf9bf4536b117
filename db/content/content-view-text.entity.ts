import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ContentPublication } from './content-publication.entity.ts';

/**
 * What a store view shows of content that is for all views, where it shows something else: its own blocks, its own settings.
 * Rendered with the publication. A view without a row shows what stands in the publication.
 */
export const ContentViewText = defineEntity({
  name: 'ContentViewText',
  tableName: 'content_view_text',
  properties: {
    contentId: () => p.manyToOne(ContentPublication).mapToPk().primary().fieldName('content_id').deleteRule('cascade'),
    storeId: p.integer().primary(),
    html: p.text(),
    css: p.text(),
  },
});

export type ContentViewText = InferEntity<typeof ContentViewText>;
