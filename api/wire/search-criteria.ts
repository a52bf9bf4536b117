import { z } from 'zod';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { readSearchCriteria } from './read-search-criteria.ts';

const echoedFilter = z.object({ field: z.string(), value: z.string().nullable(), condition_type: z.string() });

/** The criteria in a list's answer. */
export const searchCriteriaEcho = z
  .object({
    filter_groups: z.array(z.object({ filters: z.array(echoedFilter) })),
    sort_orders: z.array(z.object({ field: z.string(), direction: z.enum(['ASC', 'DESC']) })).optional(),
    page_size: z.int().optional(),
    current_page: z.int().optional(),
  })
  .meta({ id: 'SearchCriteria' });

/** No criteria: every row. */
export const everything: SearchCriteria = {
  groups: [],
  sortOrders: [],
  pageSize: undefined,
  currentPage: 1,
  echo: { filter_groups: [] },
};

/** The refusals of every list, for its outcomes. */
export const unknownField = {
  status: 400,
  message: 'Invalid attribute name: %1',
  when: 'A filter names a field that cannot be searched.',
};

/** What lists of large rows refuse. */
export const tooManyRows = {
  status: 400,
  message: 'Maximum SearchCriteria pageSize is %max',
  when: 'More rows match than one answer has, and no page size was sent.',
  then: 'Send `searchCriteria[page_size]`, and read page by page.',
};

/** A list of one, as examples show it. */
export const listOfOne = <Item>(item: Item) => ({
  items: [item],
  search_criteria: { filter_groups: [] },
  total_count: 1,
});

/**
 * The `searchCriteria` argument of a list (platform facts 3): `query: z.object({ searchCriteria })`.
 *
 * Refused with 400: absent criteria, a list as a value, an invalid direction or page. Lists that do not need criteria
 * use `searchCriteria.default(everything)`.
 */
export const searchCriteria = z
  .codec(z.custom<object | string>(), z.custom<SearchCriteria>(), {
    decode: (given, context) => {
      if (given !== undefined) return typeof given === 'object' ? readSearchCriteria(given) : everything;
      context.issues.push({ code: 'custom', input: given, params: { type: 'object' } });
      return z.NEVER;
    },
    encode: ({ echo }) => echo,
  })
  .meta({ type: 'object', description: 'filter_groups (AND) of filters (OR), sort_orders, page_size, current_page' });

/** A list's answer (platform facts 3.5). */
export const renderList = <Item>(criteria: SearchCriteria, items: Item[], totalCount: number) => ({
  items,
  search_criteria: criteria.echo,
  total_count: totalCount,
});
