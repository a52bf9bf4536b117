import type { EntityManager } from '@mikro-orm/postgresql';
import { relevanceOf, type StorefrontSearch } from '../../../domain/platform/catalog/storefront-search.ts';
import type { ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import { searchProducts } from './search-products.ts';

/** Of so many matches the best come first; of more, the newest. */
export const mostRanked = 1_000;

export interface StorefrontFound {
  items: { id: number; score: number }[];
  /** How many of the matches each category has; empty where there are more than are ranked. */
  categories: ReadonlyMap<string, number>;
  totalCount: number;
}

const columns = `entity_id, sku, name, category_ids, custom_attributes ->> 'barcode' as barcode`;

interface Row {
  entity_id: number;
  sku: string;
  name: string;
  category_ids: string[];
  barcode: string | null;
}

/**
 * Finds products as a customer does: the best first, unless the caller sorts. Refused with: 400 a value that its field
 * cannot have.
 */
export async function searchStorefront(
  em: EntityManager,
  { criteria, words }: StorefrontSearch,
  place: ValuePlace,
): Promise<StorefrontFound> {
  const { currentPage, pageSize = mostRanked, sortOrders } = criteria;
  const newest = { ...criteria, sortOrders: [{ field: 'entity_id', direction: 'DESC' as const }] };
  const first = await searchProducts<Row>(em, { ...newest, currentPage: 1, pageSize: mostRanked }, place, columns);
  const { totalCount } = first;
  const areAll = totalCount <= mostRanked;
  const scored = (rows: readonly Row[]) =>
    rows.map((row) => ({ id: row.entity_id, score: relevanceOf(words, { ...row, barcode: row.barcode ?? '' }) }));
  const pageOf = async () => {
    const from = (currentPage - 1) * pageSize;
    const isSorted = sortOrders.length > 0;
    if (isSorted || (!areAll && from + pageSize > mostRanked)) {
      const { rows } = await searchProducts<Row>(em, { ...(isSorted ? criteria : newest), pageSize }, place, columns);
      return scored(rows);
    }
    const found = scored(first.rows);
    return (areAll ? found.toSorted((one, other) => other.score - one.score) : found).slice(from, from + pageSize);
  };
  return { items: await pageOf(), categories: categoriesOf(areAll ? first.rows : []), totalCount };
}

function categoriesOf(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of rows.flatMap((row) => row.category_ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
