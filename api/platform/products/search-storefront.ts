import { z } from 'zod';
import { searchStorefront } from '../../../db/platform/catalog/products.ts';
import {
  searchContainers,
  storefrontSearch,
  type SearchContainer,
} from '../../../domain/platform/catalog/scoped-values.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { noSuchRequestName } from '../../../domain/refusals/catalog.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { route } from '../../http/route.ts';
import { plainText, readSearchCriteria, searchCriteriaEcho } from '../../wire/criteria.ts';
import { isObject } from '../../wire/read-json.ts';

interface Asking {
  container: SearchContainer;
  criteria: SearchCriteria;
}

/** The criteria of a list, with the name of a search. A list as a value is read as its members. */
const storefrontCriteria = z
  .codec(z.custom<object | string | undefined>(), z.custom<Asking>(), {
    decode(input) {
      const {
        requestName = searchContainers[0],
        request_name: name = requestName,
        ...criteria
      } = isObject(input) ? input : {};
      const container = searchContainers.find((one) => one === name);
      if (container === undefined) throw noSuchRequestName([(plainText(name) ?? 'array').slice(0, 100)]);
      return { container, criteria: readSearchCriteria(joined(criteria)) };
    },
    encode: ({ container, criteria }) => ({ request_name: container, ...criteria.echo }),
  })
  .meta({
    type: 'object',
    description: 'request_name, filter_groups of filters, sort_orders, page_size, current_page',
  });

/** `value[0]=4&value[1]=7` is `value=4,7`. A list of more than texts stays one, and is refused as a value. */
function joined<Part>(part: Part): Part;

function joined(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((one) => joined(one));
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => [
      key,
      key === 'value' && isListOfTexts(inner) ? inner.join(',') : joined(inner),
    ]),
  );
}

const isListOfTexts = (input: unknown): input is string[] =>
  Array.isArray(input) && input.every((one) => typeof one === 'string');

const bucket = z.object({
  name: z.string(),
  values: z.array(
    z.object({
      value: z.string().describe('The id of the category.'),
      metrics: z.array(z.string()).describe('The id again, and how many of the products it has.'),
    }),
  ),
});

const found = z.object({
  id: z.int(),
  custom_attributes: z.array(z.object({ attribute_code: z.literal('score'), value: z.string() })),
});

const categoryBucket = 'category_bucket';

const scoreDigits = 16;

const renderFound = (id: number, score: number): z.input<typeof found> => ({
  id,
  custom_attributes: [{ attribute_code: 'score', value: score.toFixed(scoreDigits) }],
});

/** An advanced search has no buckets, as in the platform. */
function renderBuckets(container: SearchContainer, categories: ReadonlyMap<string, number>) {
  if (container === 'advanced_search_container') return { buckets: [], bucket_names: [] };
  const values = [...categories].map(([id, count]) => ({ value: id, metrics: [id, String(count)] }));
  return { buckets: [{ name: categoryBucket, values }], bucket_names: [categoryBucket] };
}

/**
 * Finds products by a customer's words, as a shop's own search does. Refused with: 400 no search of this name · 400 a
 * field that this search does not have.
 */
export const searchStorefrontRoute = route({
  method: 'GET',
  path: '/V1/search',
  acl: 'anonymous',
  name: 'searchStorefront',
  summary: 'Find products by words',
  description: `Enabled products that the store view shows, by id: read them with \`GET /V1/products\`. A
\`quick_search_container\` looks for each word of \`search_term\` in name and sku, and for a whole barcode; an
\`advanced_search_container\` takes any attribute; a \`catalog_view_container\` is a category’s page. All take
\`category_ids\`, \`price.from\`, \`price.to\` and \`visibility\`; every filter restricts. The best of 1 000 matches
come
first; of more, the newest, and without counts of categories. The first page is 1 or 0. Without \`request_name\` it is a
quick search.`,
  outcomes: [attributeNameNotValid, noSuchRequestName],
  examples: [
    {
      title: 'Blue mugs',
      query:
        'searchCriteria[requestName]=quick_search_container' +
        '&searchCriteria[filter_groups][0][filters][0][field]=search_term' +
        '&searchCriteria[filter_groups][0][filters][0][value]=blue mug',
      response: {
        items: [renderFound(2, 26)],
        aggregations: renderBuckets('quick_search_container', new Map([['3', 1]])),
        search_criteria: {
          request_name: 'quick_search_container',
          filter_groups: [{ filters: [{ field: 'search_term', value: 'blue mug', condition_type: 'eq' }] }],
        },
        total_count: 1,
      },
    },
  ],
  query: z.object({ searchCriteria: storefrontCriteria }),
  response: z.object({
    items: z.array(found),
    aggregations: z
      .object({
        buckets: z.array(bucket).describe('The products counted by category.'),
        bucket_names: z.array(z.string()).describe('The names of the counts.'),
      })
      .describe('How the matches divide.'),
    search_criteria: searchCriteriaEcho.and(
      z.object({ request_name: z.enum(searchContainers).describe('Which search it was.') }),
    ),
    total_count: z.int(),
  }),

  async handle({ reader, store, query: { searchCriteria } }) {
    const { container, criteria } = searchCriteria;
    const requested = storefrontSearch(container, criteria, store.storeId);
    const { items, categories, totalCount } = await searchStorefront(reader, requested, store);
    return {
      items: items.map(({ id, score }) => renderFound(id, score)),
      aggregations: renderBuckets(container, categories),
      search_criteria: { request_name: container, ...criteria.echo },
      total_count: totalCount,
    };
  },
});
