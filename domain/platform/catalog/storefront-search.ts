import { invalid } from '../../errors.ts';
import type { SearchCriteria, SearchFilter } from '../search-criteria.ts';

/** What a customer's search can be: by words, by attributes, or a category's page. */
export const searchContainers = [
  'quick_search_container',
  'advanced_search_container',
  'catalog_view_container',
] as const;
export type SearchContainer = (typeof searchContainers)[number];

/** A longer search is cut, as in the platform; each sign of it may need an escape in a pattern, which has 256. */
const longestTerm = 127;
const mostWords = 10;

export interface StorefrontSearch {
  /** For the search of products. */
  criteria: SearchCriteria;
  /** In lower case; a product has each of them. */
  words: readonly string[];
}

/** Products that a shop shows in its search, and in its categories. */
const shownIn: Record<SearchContainer, string> = {
  quick_search_container: '3,4',
  advanced_search_container: '3,4',
  catalog_view_container: '2,4',
};

/**
 * A customer's search in the terms of the search of products: enabled ones of the store view's website that are shown.
 * Every filter restricts, whatever its group, as in the platform.
 *
 * Refused with: 400 a field that this container does not have.
 */
export function storefrontSearch(
  container: SearchContainer,
  criteria: SearchCriteria,
  storeId: number,
): StorefrontSearch {
  const asked = criteria.groups.flat();
  const words = asked.filter(({ field }) => field === 'search_term').flatMap(({ value }) => wordsOf(value ?? ''));
  const filters = asked.flatMap((filter) => filterOf(container, filter));
  const visibility = filters.some(({ field }) => field === 'visibility')
    ? []
    : [equal('visibility', shownIn[container], 'in')];
  const shown = [equal('status', '1'), equal('store', String(storeId)), ...visibility];
  return {
    words,
    criteria: { ...criteria, groups: [...words.map(hasWord), ...[...filters, ...shown].map((filter) => [filter])] },
  };
}

const equal = (field: string, value: string | null, condition: SearchFilter['condition'] = 'eq'): SearchFilter => ({
  field,
  value,
  condition,
});

const wordsOf = (term: string): string[] =>
  term.slice(0, longestTerm).toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords);

/** In its name or its sku; a barcode is read whole. */
function hasWord(word: string): SearchFilter[] {
  const part = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return [equal('name', part, 'like'), equal('sku', part, 'like'), equal('barcode', word)];
}

function filterOf(container: SearchContainer, filter: SearchFilter): SearchFilter[] {
  const { field, value, condition } = filter;
  // The second says how a storefront divides prices; there are no such buckets here.
  if (field === 'search_term' || field === 'price_dynamic_algorithm') return [];
  if (field === 'category_ids') return [equal('category_id', value, 'in')];
  if (field === 'price.from') return [equal('price', value, 'gteq')];
  if (field === 'price.to') return [equal('price', value, 'lteq')];
  if (field === 'visibility') return [equal(field, value, 'in')];
  if (container !== 'advanced_search_container') throw invalid('Invalid attribute name: %1', [field]);
  return [condition === 'like' && value !== null && !value.includes('%') ? { ...filter, value: `%${value}%` } : filter];
}

/** The platform gives a sku and a name these weights. */
const weights = { sku: 6, name: 5 };

/** How well a product fits: a whole sku or barcode best, then whole words of the name, then parts. */
export function relevanceOf(words: readonly string[], product: { sku: string; name: string; barcode: string }): number {
  const sku = product.sku.toLowerCase();
  const nameWords = product.name.toLowerCase().split(/\s+/);
  const ofWord = (word: string) => {
    const inSku = sku === word || product.barcode.toLowerCase() === word ? 4 : sku.includes(word) ? 1 : 0;
    const inName = nameWords.includes(word) ? 2 : nameWords.some((one) => one.includes(word)) ? 1 : 0;
    return weights.sku * inSku + weights.name * inName;
  };
  return 1 + words.reduce((sum, word) => sum + ofWord(word), 0);
}
