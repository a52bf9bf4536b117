import type { EntityManager } from '@mikro-orm/postgresql';
import { ContentItem } from '../../db/content/content-item.entity.ts';
import { publishContent } from '../../db/content/publish-content.ts';
import { createContent } from '../../db/content/save-content.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { credentials } from './credentials.ts';

const author = credentials.admin.username;
/** For every store view. */
const everywhere = { storeId: 0, author } as const;

/** What the screens of the shop show before an editor wrote anything. */
const texts = [
  {
    kind: 'block',
    identifier: 'customer_display',
    title: 'Customer display',
    content: '<p>Welcome to {{config path="general/store_information/name"}}.</p>',
    css: 'p { font-size: 2rem }',
  },
  {
    kind: 'block',
    identifier: 'idle_screen',
    title: 'Idle screen',
    content: '<h1>Paper lanterns, made by hand</h1><p>Ask at the counter for a lantern with your name.</p>',
    css: 'h1 { color: teal }',
  },
  {
    kind: 'page',
    identifier: 'returns',
    title: 'Returns',
    content: '<h1>Returns</h1><p>Bring it back within 30 days, with its receipt.</p>',
    css: '',
  },
] as const;

/** Two blocks and a page, published. */
export async function seedContent(em: EntityManager, now: Date): Promise<void> {
  for (const { kind, identifier, ...text } of texts) {
    const known = await em.findOne(ContentItem, { kind, identifier, storeId: everywhere.storeId });
    const wish = { identifier, liveview: true, ...text };
    const contentId = known?.contentId ?? (await createContent(em, { kind, wish, ...everywhere }));
    await publishContent(em, { kind, contentId, author, render: renderContent, now });
  }
}
