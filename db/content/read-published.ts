import type { EntityManager } from '@mikro-orm/postgresql';
import { statusOn } from '../platform/catalog/attribute-sql.ts';
import { isAmongSkus } from '../support/columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** Published content for everyone; with liveview off its texts are empty (spec 4.12). */
export type PublishedContent = RowFrom<typeof readByIds>;

/** The reader's store view: its own content wins over that of view 0. */
interface InView {
  storeId: number;
}

/**
 * Pages or blocks by their ids: published, active, and of this view or of all. Drafts, inactive content, other views'
 * content and unknown ids are left out alike. In ascending order of ids.
 */
export const readPublishedByIds = (
  em: EntityManager,
  input: InView & { kind: 'page' | 'block'; ids: readonly number[] },
): Promise<PublishedContent[]> => readByIds.all(em, input);

/** As `readPublishedByIds`, by identifiers: at most one of each, the view's own before that of view 0. */
export const readPublishedByIdentifiers = (
  em: EntityManager,
  input: InView & { kind: 'page' | 'block'; identifiers: readonly string[] },
): Promise<PublishedContent[]> => readByIdentifiers.all(em, input);

/** Whether content of this id is there and was switched off by its editor, in whatever view. */
export const isSwitchedOff = async (
  em: EntityManager,
  input: { kind: 'page' | 'block'; contentId: number },
): Promise<boolean> => (await findSwitchedOff.first(em, input))?.isOff === true;

/**
 * The content of products by id: at most one row per attribute, by product and attribute code. None for a product
 * that is disabled, or not sold in the view's website.
 */
export const readPublishedOfProducts = (
  em: EntityManager,
  input: InView & { productIds: readonly number[] },
): Promise<PublishedContent[]> => readOfProducts.all(em, input);

/** As `readPublishedOfProducts`, by sku. */
export const readPublishedOfSkus = (
  em: EntityManager,
  input: InView & { skus: readonly string[] },
): Promise<(PublishedContent & { sku: string })[]> => readOfSkus.all(em, input);

/**
 * The content of categories that are active in the view: at most one row per attribute, by category and attribute
 * code.
 */
export const readPublishedOfCategories = (
  em: EntityManager,
  input: InView & { categoryIds: readonly number[] },
): Promise<PublishedContent[]> => readOfCategories.all(em, input);

/** The one place where liveview decides which texts are public. */
const columns = `i.content_id, i.identifier, i.store_id, i.product_id, i.category_id, i.liveview, p.number,
  p.published_at, p.title, p.fields,
  case when i.liveview then p.content else '' end as content,
  case when i.liveview then coalesce(t.html, p.html) else '' end as html,
  case when i.liveview then coalesce(t.css, p.css) else '' end as css`;

/** Drafts have no publication, so they are left out. */
const published = 'content_item i join content_publication p using (content_id)';
/** The view's own text, where it differs. */
const inView = 'left join content_view_text t on t.content_id = i.content_id and t.store_id = $storeId';
const shown = 'i.is_active and i.store_id in (0, $storeId)';
/** Products and categories that the shop does not offer have no texts. */
const offered = `exists (select from store_view v where v.store_id = $storeId
  and v.website_id::text = any(g.website_ids)
      and ${statusOn('g', 'v.website_id')} = 1)`;
const active = `coalesce((c.view_words -> $storeId::bigint::text ->> 'isActive')::boolean, c.is_active)`;

const readByIds = sql('read-published.readByIds')`
  select ${columns} from ${published} ${inView}
  where i.content_id = any($ids) and i.kind = $kind and ${shown} order by i.content_id`;

const findSwitchedOff = sql('read-published.findSwitchedOff')`
  select exists (select from content_item where content_id = $contentId and kind = $kind
    and not is_active) as is_off`;

const readByIdentifiers = sql('read-published.readByIdentifiers')`
  select distinct on (i.identifier) ${columns} from ${published} ${inView}
  where i.kind = $kind and i.identifier = any($identifiers) and ${shown}
  order by i.identifier, i.store_id desc`;

const readOfProducts = sql('read-published.readOfProducts')`
  select distinct on (i.product_id, i.identifier) ${columns} from ${published} ${inView}
    join product g on g.entity_id = i.product_id
  where i.product_id = any($productIds) and ${offered} and ${shown}
  order by i.product_id, i.identifier, i.store_id desc`;

const readOfSkus = sql('read-published.readOfSkus')`
  select distinct on (i.product_id, i.identifier) ${columns}, g.sku
  from product g join content_item i on i.product_id = g.entity_id join content_publication p
    using (content_id) ${inView}
  where ${isAmongSkus('g.sku')} and ${offered} and ${shown}
  order by i.product_id, i.identifier, i.store_id desc`;

const readOfCategories = sql('read-published.readOfCategories')`
  select distinct on (i.category_id, i.identifier) ${columns} from ${published} ${inView}
    join category c on c.entity_id = i.category_id
  where i.category_id = any($categoryIds) and ${active} and ${shown}
  order by i.category_id, i.identifier, i.store_id desc`;

/** The number of committed changes of public content; 0 where there was none. */
export const readContentRevision = async (em: EntityManager): Promise<number> =>
  (await selectPublished.first(em))?.revision ?? 0;

const selectPublished = sql('read-published.selectPublished')`select revision from content_revision`;
