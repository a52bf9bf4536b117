import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenderContent, RenderedContent, ViewText } from '../../domain/content.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { largestId } from '../../domain/ids.ts';
import { rowOf } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { ContentRenewal } from './content.entity.ts';

/** Replaces the published text of content, in all its views, within the caller's transaction. */
async function showText(tx: EntityManager, contentId: number, rendered: RenderedContent): Promise<void> {
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
async function emptyText(tx: EntityManager, contentId: number): Promise<void> {
  await empty.run(tx, { contentId });
  await showInViews(tx, contentId, []);
}

const rewrite = sql('render-places.rewrite')`
  update content_publication set html = $html, css = $css, uses = $uses where content_id = $contentId`;

const rewriteViews = sql('render-places.rewriteViews')`
  with gone as (delete from content_view_text where content_id = $contentId and store_id <> all($storeIds))
  insert into content_view_text (content_id, store_id, html, css)
  select $contentId, v.store_id, v.html, v.css
  from unnest($storeIds::bigint[], $htmls::text[], $sheets::text[]) as v (store_id, html, css)
  on conflict (content_id, store_id) do update set html = excluded.html, css = excluded.css`;

const empty = sql('render-places.empty')`
  update content_publication set html = '', css = '' where content_id = $contentId`;

/** Published content that contains a block, with its source text. */
export type Place = RowFrom<typeof selectPlaces>;

/** Stands for all content with directives. A block cannot have this identifier. */
export const everything = '*';

/**
 * The content that contains a block, by its identifier: in the order of ids, above one id, and up to another if
 * given.
 */
export const readPlaces = (
  em: EntityManager,
  { until = largestId, ...input }: { identifier: string; after: number; until?: number | undefined; limit: number },
): Promise<Place[]> => {
  const { identifier, ...range } = { ...input, until };
  return identifier === everything ? readEverything.all(em, range) : selectPlaces.all(em, { ...range, identifier });
};

/** How many places there are. */
const countPlaces = async (em: EntityManager, identifier: string): Promise<number> => {
  const row = await (identifier === everything ? countEverything.first(em) : count.first(em, { identifier }));
  return row?.places ?? 0;
};

/** Renders a place with the present blocks. Refused with 400, see `renderContent`. */
export async function renderPlace(
  tx: EntityManager,
  { contentId, source, style, ...place }: Place,
  render: RenderContent<EntityManager>,
): Promise<void> {
  await showText(tx, contentId, await render(tx, { ...place, html: source, css: style }));
}

/** @returns why it could not be rendered; undefined where it was. A failed one keeps its old text. */
export async function renderOrKeep(
  tx: EntityManager,
  place: Place,
  render: RenderContent<EntityManager>,
): Promise<string | undefined> {
  try {
    await renderPlace(tx, place, render);
    return undefined;
  } catch (error) {
    if (error instanceof PosError) return inWords(error.refusal);
    throw error;
  }
}

/** As `renderOrKeep`, but a place that cannot be rendered is emptied. */
export async function renderOrEmpty(
  tx: EntityManager,
  place: Place,
  render: RenderContent<EntityManager>,
): Promise<string | undefined> {
  const refusal = await renderOrKeep(tx, place, render);
  if (refusal !== undefined) await emptyText(tx, place.contentId);
  return refusal;
}

const selectPlaces = sql('render-places.selectPlaces')`
  select i.content_id, i.kind, i.identifier, i.store_id, p.content as source, v.css as style
  from content_publication p join content_item i using (content_id)
  join content_version v on v.content_id = p.content_id and v.number = p.number
  where p.uses @> array[$identifier::text] and i.content_id > $after and i.content_id <= $until
  order by i.content_id limit $limit`;

const readEverything = sql('render-places.readEverything')`
  select i.content_id, i.kind, i.identifier, i.store_id, p.content as source, v.css as style
  from content_publication p join content_item i using (content_id)
  join content_version v on v.content_id = p.content_id and v.number = p.number
  where strpos(p.content, '{{') > 0 and i.content_id > $after and i.content_id <= $until
  order by i.content_id limit $limit`;

const count = sql('render-places.count')`
  select count(*)::int as places from content_publication where uses @> array[$identifier::text]`;

const countEverything = sql('render-places.countEverything')`
  select count(*)::int as places from content_publication where strpos(content, '{{') > 0`;

export type RenewalRow = RowFrom<typeof readContentRenewals>['renewal'];

/**
 * Has a worker render all content that contains a block. A run in progress continues from its place and comes to the
 * first places afterwards. Otherwise the last places of a frequently changed block would never be rendered.
 */
export async function beginRenewal(
  tx: EntityManager,
  block: { identifier: string; isRemoval: boolean },
): Promise<void> {
  await begin.run(tx, { ...block, places: await countPlaces(tx, block.identifier) });
}

/**
 * Has a worker render all content with directives, because settings or views of the shop changed.
 *
 * @returns the number of places; nothing is started where there are none
 */
export async function beginRenewalOfEverything(tx: EntityManager): Promise<number> {
  const places = await countPlaces(tx, everything);
  if (places > 0) await begin.run(tx, { identifier: everything, isRemoval: false, places });
  return places;
}

/** Records that all places of a block are up to date and need no rendering. */
export async function endRenewal(tx: EntityManager, identifier: string): Promise<void> {
  await end.run(tx, { identifier });
}

/** The progress of rendering a block's places; undefined where there were few, or where it ended long ago. */
export const findRenewal = async (em: EntityManager, identifier: string): Promise<RenewalRow | undefined> =>
  (await readContentRenewals.first(em, { identifier }))?.renewal;

/** Unfinished renewals, the newest first. */
export const findOpenRenewals = async (em: EntityManager, { limit }: { limit: number }): Promise<number[]> =>
  (await readOpen.all(em, { limit })).map(({ renewalId }) => renewalId);

/** Unfinished renewals without progress for a minute. */
export const findUnfollowedRenewals = async (em: EntityManager, { limit }: { limit: number }): Promise<number[]> =>
  (await readUnfollowed.all(em, { limit })).map(({ renewalId }) => renewalId);

const renewal = rowOf(ContentRenewal, 'r');

const begin = sql('render-places.begin')`
  insert into content_renewal (identifier, is_removal, places)
  values ($identifier, $isRemoval, $places)
  on conflict (identifier) do update set places = excluded.places, rendered = 0, failed = 0, failures = '[]',
    rendered_up_to = case when content_renewal.finished_at is null then content_renewal.rendered_up_to else 0 end,
    until = case when content_renewal.finished_at is null then content_renewal.rendered_up_to else 0 end,
    is_removal = excluded.is_removal or (content_renewal.is_removal and content_renewal.finished_at is null),
    started_at = now(), finished_at = null, updated_at = now()`;

const end = sql('render-places.end')`delete from content_renewal where identifier = $identifier`;

const readContentRenewals = sql('render-places.readContentRenewals', { gives: { renewal } })`
  select ${renewal.columns} from content_renewal r where r.identifier = $identifier`;

const readOpen = sql('render-places.readOpen')`
  select renewal_id from content_renewal where finished_at is null order by updated_at desc limit $limit`;

const readUnfollowed = sql('render-places.readUnfollowed')`
  select renewal_id from content_renewal
  where finished_at is null and updated_at < now() - interval '1 minute' order by updated_at limit $limit`;
