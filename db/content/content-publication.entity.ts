import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ContentFields } from '../../domain/content/content-kind.ts';
import { setIndex } from '../support/search-indexes.ts';
import { ContentItem } from './content-item.entity.ts';

/** The public text of published content, rendered once. Without a row the content is not published. */
export const ContentPublication = defineEntity({
  name: 'ContentPublication',
  tableName: 'content_publication',
  properties: {
    contentId: () => p.manyToOne(ContentItem).mapToPk().primary().fieldName('content_id').deleteRule('cascade'),
    number: p.integer(),
    title: p.string().length(255),
    /** As its editor wrote it. */
    content: p.text(),
    fields: p.json<ContentFields>().defaultRaw(`'{}'::jsonb`),
    /** Rendered and sanitised. */
    html: p.text(),
    css: p.text(),
    /** Identifiers of the blocks within it. */
    uses: p.array().defaultRaw(`'{}'`),
    publishedBy: p.string().length(255),
    publishedAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [setIndex('content_publication', 'uses')],
});

export type ContentPublication = InferEntity<typeof ContentPublication>;
