import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { integer, text, texts } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { ContentItem } from './content-item.entity.ts';

/** Rendered in one transaction while others wait to publish; a block within more pages belongs into a template. */
const mostPlaces = 500;

/**
 * Publishing is done one at a time, so that a page never shows a block as it was before: whoever comes second renders with
 * what the first one committed.
 */
export const lockPublishing = async (tx: EntityManager): Promise<void> => {
  await lock.run(tx);
};

/**
 * Renders anew what a block is part of, in its view or, for a block of all views, in all. Within the transaction that
 * changes the block.
 *
 * Refused with 400: it is part of more than 500 others.
 */
export async function renderWhatUses(
  tx: EntityManager,
  block: { kind: string; identifier: string; storeId: number },
  render: RenderContent<EntityManager>,
): Promise<void> {
  if (block.kind !== 'block') return;
  const places = await readPlaces.all(tx, { identifier: block.identifier, limit: mostPlaces + 1 });
  if (places.length > mostPlaces) throw invalid('This block is part of more than %1 others.', [mostPlaces]);
  for (const { contentId, source, style, ...place } of places) {
    const { html, css, uses } = await render(tx, { ...place, html: source, css: style });
    await rewrite.run(tx, { contentId, html, css, uses });
  }
}

const lock = statement({ takes: {}, text: `select pg_advisory_xact_lock(hashtext('publish content'))` });

const readPlaces = statement({
  takes: { identifier: text, limit: integer },
  gives: { contentId: integer, ...of(ContentItem, 'kind', 'identifier', 'storeId'), source: text, style: text },
  text: `select i.content_id, i.kind, i.identifier, i.store_id, p.content as source, v.css as style
    from content_publication p join content_item i using (content_id)
    join content_version v on v.content_id = p.content_id and v.number = p.number
    where p.uses @> array[$identifier::text] order by i.content_id limit $limit`,
});

const rewrite = statement({
  takes: { contentId: integer, html: text, css: text, uses: texts },
  text: `update content_publication set html = $html, css = $css, uses = $uses where content_id = $contentId`,
});
