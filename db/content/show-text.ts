import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenderedContent, ViewText } from '../../domain/content/render-content.ts';
import { integer, integers, text, texts } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** Replaces the published text of content, in all its views, within the caller's transaction. */
export async function showText(tx: EntityManager, contentId: number, rendered: RenderedContent): Promise<void> {
  const { html, css, uses } = rendered;
  await rewrite.run(tx, { contentId, html, css, uses });
  await showInViews(tx, contentId, rendered.inViews);
}

/** Stores the texts of views that differ; the others show the publication's text. */
export async function showInViews(tx: EntityManager, contentId: number, views: readonly ViewText[]): Promise<void> {
  await rewriteViews.run(tx, {
    contentId,
    storeIds: views.map(({ storeId }) => storeId),
    htmls: views.map(({ html }) => html),
    sheets: views.map(({ css }) => css),
  });
}

/**
 * Empties the published text in every view. The blocks it uses stay recorded, so publishing one of them renders it
 * again.
 */
export async function emptyText(tx: EntityManager, contentId: number): Promise<void> {
  await empty.run(tx, { contentId });
  await showInViews(tx, contentId, []);
}

const rewrite = statement({
  takes: { contentId: integer, html: text, css: text, uses: texts },
  text: `update content_publication set html = $html, css = $css, uses = $uses where content_id = $contentId`,
});

const rewriteViews = statement({
  takes: { contentId: integer, storeIds: integers, htmls: texts, sheets: texts },
  text: `
    with gone as (delete from content_view_text where content_id = $contentId and store_id <> all($storeIds))
    insert into content_view_text (content_id, store_id, html, css)
    select $contentId, v.store_id, v.html, v.css
    from unnest($storeIds::int[], $htmls::text[], $sheets::text[]) as v (store_id, html, css)
    on conflict (content_id, store_id) do update set html = excluded.html, css = excluded.css`,
});

const empty = statement({
  takes: { contentId: integer },
  text: `update content_publication set html = '', css = '' where content_id = $contentId`,
});
