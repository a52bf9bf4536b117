import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { largestId } from '../../domain/ids.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContentItem } from './content-item.entity.ts';
import { emptyText, showText } from './show-text.ts';

/** Published content that contains a block, with its source text. */
export type Place = RowFrom<typeof read>;

/** Stands for all content with directives. A block cannot have this identifier. */
export const everything = '*';

/**
 * The content that contains a block, by its identifier: in the order of ids, above one id, and up to another if
 * given.
 */
export const readPlaces = (
  em: EntityManager,
  { until = largestId, ...given }: { identifier: string; after: number; until?: number | undefined; limit: number },
): Promise<Place[]> => {
  const { identifier, ...range } = { ...given, until };
  return identifier === everything ? readEverything.all(em, range) : read.all(em, { ...range, identifier });
};

/** How many places there are. */
export const countPlaces = async (em: EntityManager, identifier: string): Promise<number> => {
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

const gives = { contentId: integer, ...of(ContentItem, 'kind', 'identifier', 'storeId'), source: text, style: text };

const read = statement({
  takes: { identifier: text, after: integer, until: integer, limit: integer },
  gives,
  text: `select i.content_id, i.kind, i.identifier, i.store_id, p.content as source, v.css as style
    from content_publication p join content_item i using (content_id)
    join content_version v on v.content_id = p.content_id and v.number = p.number
    where p.uses @> array[$identifier::text] and i.content_id > $after and i.content_id <= $until
    order by i.content_id limit $limit`,
});

const readEverything = statement({
  takes: { after: integer, until: integer, limit: integer },
  gives,
  text: `select i.content_id, i.kind, i.identifier, i.store_id, p.content as source, v.css as style
    from content_publication p join content_item i using (content_id)
    join content_version v on v.content_id = p.content_id and v.number = p.number
    where strpos(p.content, '{{') > 0 and i.content_id > $after and i.content_id <= $until
    order by i.content_id limit $limit`,
});

const count = statement({
  takes: { identifier: text },
  gives: { places: integer },
  text: 'select count(*)::int as places from content_publication where uses @> array[$identifier::text]',
});

const countEverything = statement({
  takes: {},
  gives: { places: integer },
  text: `select count(*)::int as places from content_publication where strpos(content, '{{') > 0`,
});
