import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ContentFields } from '../../domain/content/content-kind.ts';
import { ContentItem } from './content-item.entity.ts';

/** One saved draft: who wrote what, and when. Its texts are never changed. */
export const ContentVersion = defineEntity({
  name: 'ContentVersion',
  tableName: 'content_version',
  properties: {
    contentId: () => p.manyToOne(ContentItem).mapToPk().primary().fieldName('content_id').deleteRule('cascade'),
    number: p.integer().primary(),
    title: p.string().length(255),
    content: p.text(),
    css: p.text(),
    fields: p.json<ContentFields>().defaultRaw(`'{}'::jsonb`),
    author: p.string().length(255),
    /** Of a version that was rolled back to: which one it repeats. */
    repeats: p.integer().nullable(),
    /** When it was first shown to everybody: then it is kept for ever. */
    publishedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'content_version_counts_from_one', expression: 'number > 0' }],
});

export type ContentVersion = InferEntity<typeof ContentVersion>;
