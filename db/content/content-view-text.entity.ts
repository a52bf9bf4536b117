import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ContentPublication } from './content-publication.entity.ts';

/**
 * The text of all-view content in a store view where it differs, because of the view's own blocks or settings.
 * Rendered with the publication. A view without a row shows the publication's text.
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
