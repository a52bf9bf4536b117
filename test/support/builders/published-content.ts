import type { EntityManager } from '@mikro-orm/postgresql';
import { ContentItem, ContentPublication, ContentVersion } from '../../../db/content/content.entity.ts';
import { showInViews } from '../../../db/content/render-places.ts';
import type { ContentFields, ContentKind } from '../../../domain/content.ts';
import { renderContent } from '../../../providers/content/render-content.ts';

export interface SomeContent {
  kind?: ContentKind;
  identifier?: string;
  storeId?: number;
  productId?: number;
  categoryId?: number;
  isActive?: boolean;
  liveview?: boolean;
  title?: string;
  content?: string;
  css?: string;
  fields?: ContentFields;
  /** The text written after it was published; absent: none. */
  draft?: string;
}

let count = 0;

/** Published content: by default a block with liveview on. @returns its id */
export async function publishedContent(em: EntityManager, given: SomeContent = {}): Promise<number> {
  const contentId = await draftOf(em, given, 1);
  const { kind = 'block', identifier = lastIdentifier(), storeId = 0, content = '<p>Hello</p>', css = '' } = given;
  const {
    html,
    css: sheet,
    uses,
    inViews,
  } = await renderContent(em, { kind, identifier, storeId, html: content, css });
  const { title = 'A text', fields = {} } = given;
  em.create(ContentPublication, {
    contentId,
    number: 1,
    title,
    content,
    fields,
    html,
    css: sheet,
    uses: [...uses],
    publishedBy: 'editor',
  });
  await em.flush();
  await showInViews(em, contentId, inViews);
  return contentId;
}

/** Content that only its editors can see. @returns its id */
export const draftContent = (em: EntityManager, given: SomeContent = {}): Promise<number> => draftOf(em, given, null);

const lastIdentifier = () => `text-${count}`;

async function draftOf(em: EntityManager, given: SomeContent, publishedNumber: 1 | null): Promise<number> {
  count++;
  const { content = '<p>Hello</p>', css = '', title = 'A text', fields = {}, draft } = given;
  const item = em.create(ContentItem, {
    kind: given.kind ?? 'block',
    identifier: given.identifier ?? lastIdentifier(),
    storeId: given.storeId ?? 0,
    productId: given.productId ?? null,
    categoryId: given.categoryId ?? null,
    isActive: given.isActive ?? true,
    liveview: given.liveview ?? true,
    title,
    content: draft ?? content,
    css,
    fields,
    draftNumber: draft === undefined ? 1 : 2,
    publishedNumber,
    changedBy: 'editor',
  });
  await em.flush();
  const versions = draft === undefined ? [content] : [content, draft];
  for (const [at, text] of versions.entries())
    em.create(ContentVersion, {
      contentId: item.contentId,
      number: at + 1,
      title,
      content: text,
      css,
      fields,
      author: 'editor',
      publishedAt: at + 1 === publishedNumber ? new Date() : null,
    });
  await em.flush();
  return item.contentId;
}
