import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, PosError } from '../../domain/errors.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { integer, text, texts } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContentItem } from './content-item.entity.ts';

/** Rendered in one transaction while others wait to publish; a block within more pages belongs into a template. */
const mostPlaces = 500;
/** So many texts are held in memory at once. */
const batch = 100;

interface Block {
  kind: string;
  identifier: string;
  storeId: number;
}

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
 * Refused with 400: it is part of more than 500 others, or one of them cannot be rendered with it.
 */
export async function renderWhatUses(
  tx: EntityManager,
  block: Block,
  render: RenderContent<EntityManager>,
): Promise<void> {
  if (block.kind !== 'block') return;
  const places = await readPlaces.all(tx, { identifier: block.identifier, after: 0, limit: mostPlaces + 1 });
  if (places.length > mostPlaces) throw invalid('This block is part of more than %1 others.', [mostPlaces]);
  for (const place of places) await renderPlace(tx, place, render);
}

/**
 * Renders anew what a block was part of that is no longer shown. It is never refused, however many there are: a text that
 * cannot be rendered without the block is emptied until it is published again, so that the block is gone from it.
 */
export async function renderWhatUsed(
  tx: EntityManager,
  block: Block,
  render: RenderContent<EntityManager>,
): Promise<void> {
  if (block.kind !== 'block') return;
  for (let after = 0, isMore = true; isMore;) {
    const places = await readPlaces.all(tx, { identifier: block.identifier, after, limit: batch });
    for (const place of places) await renderOrEmpty(tx, place, render);
    after = places.at(-1)?.contentId ?? after;
    isMore = places.length === batch;
  }
}

type Place = RowFrom<typeof readPlaces>;

async function renderPlace(tx: EntityManager, place: Place, render: RenderContent<EntityManager>): Promise<void> {
  const { contentId, source, style, kind, identifier, storeId } = place;
  const { html, css, uses } = await render(tx, { kind, identifier, storeId, html: source, css: style });
  await rewrite.run(tx, { contentId, html, css, uses });
}

async function renderOrEmpty(tx: EntityManager, place: Place, render: RenderContent<EntityManager>): Promise<void> {
  try {
    await renderPlace(tx, place, render);
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    await empty.run(tx, { contentId: place.contentId });
  }
}

const lock = statement({ takes: {}, text: `select pg_advisory_xact_lock(hashtext('publish content'))` });

const readPlaces = statement({
  takes: { identifier: text, after: integer, limit: integer },
  gives: { contentId: integer, ...of(ContentItem, 'kind', 'identifier', 'storeId'), source: text, style: text },
  text: `select i.content_id, i.kind, i.identifier, i.store_id, p.content as source, v.css as style
    from content_publication p join content_item i using (content_id)
    join content_version v on v.content_id = p.content_id and v.number = p.number
    where p.uses @> array[$identifier::text] and i.content_id > $after order by i.content_id limit $limit`,
});

const rewrite = statement({
  takes: { contentId: integer, html: text, css: text, uses: texts },
  text: `update content_publication set html = $html, css = $css, uses = $uses where content_id = $contentId`,
});

/** What it uses stays known: once one of these is published it is rendered again. */
const empty = statement({
  takes: { contentId: integer },
  text: `update content_publication set html = '', css = '' where content_id = $contentId`,
});
