import type { EntityManager } from '@mikro-orm/postgresql';
import type { ContentKind } from '../../domain/content/content-kind.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { columnsOf } from '../support/entity-columns.ts';
import { readOne } from '../support/kinds.ts';
import { search, type Found, type Searchable } from '../support/search.ts';
import { ContentItem } from './content-item.entity.ts';
import type { ContentRow } from './read-content.ts';

const idOf = { column: 'content_id', type: 'integer' } as const;
const inFields = (key: string) => ({ column: `(fields ->> '${key}')`, type: 'text', isNullable: true }) as const;

const fields: Searchable['fields'] = {
  id: idOf,
  content_id: idOf,
  page_id: idOf,
  block_id: idOf,
  identifier: { column: 'identifier', type: 'text' },
  attribute_code: { column: 'identifier', type: 'text' },
  title: { column: 'title', type: 'text' },
  is_active: { column: 'is_active', type: 'boolean' },
  liveview: { column: 'liveview', type: 'boolean' },
  store_id: { column: 'store_id', type: 'integer' },
  product_id: { column: 'product_id', type: 'integer', isNullable: true },
  category_id: { column: 'category_id', type: 'integer', isNullable: true },
  published_version: { column: 'published_number', type: 'integer', isNullable: true },
  creation_time: { column: 'created_at', type: 'timestamp' },
  update_time: { column: 'updated_at', type: 'timestamp' },
  page_layout: inFields('page_layout'),
  sort_order: inFields('sort_order'),
  meta_title: inFields('meta_title'),
  content_heading: inFields('content_heading'),
};

const columns = columnsOf(ContentItem);

/**
 * Searches content of one kind as its editors see it (platform facts 3, 11): the newest drafts, of every view.
 *
 * Refused with 400: more than 300 at once.
 */
export async function searchContent(
  em: EntityManager,
  { kind, criteria }: { kind: ContentKind; criteria: SearchCriteria },
): Promise<Found<ContentRow>> {
  const { rows, totalCount } = await search<Record<string, unknown>>(em, criteria, {
    table: 'content_item',
    columns: columns.map(({ name }) => name).join(', '),
    fields,
    order: 'content_id',
    // Each row has its whole text, up to 0.6 MB; larger results are read in pages.
    maxRows: 300,
    where: { sql: 'kind = ?', parameters: [kind] },
  });
  return { rows: rows.map(readContent), totalCount };
}

/** Reads a row by the names and kinds of the entity, as a statement does. */
function readContent(wire: Record<string, unknown>): ContentRow {
  const row: Record<string, unknown> = {};
  for (const { key, name, kind } of columns) row[key] = readOne(name, kind, wire[name]);
  return row as ContentRow;
}
