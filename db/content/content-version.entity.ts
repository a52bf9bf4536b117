import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ContentFields } from '../../domain/content/content-kind.ts';
import { ContentItem } from './content-item.entity.ts';

/** One saved draft: author, text and time. Its texts never change. */
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
    /** After a rollback: the version whose text it repeats. */
    repeats: p.integer().nullable(),
    /** When it was first published; from then on it is kept for ever. */
    publishedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'content_version_counts_from_one', expression: 'number > 0' }],
});

export type ContentVersion = InferEntity<typeof ContentVersion>;
