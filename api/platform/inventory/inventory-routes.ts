import { z } from 'zod';
import {
  findLowStock,
  readQuantitiesByPriority,
  readStockStatus,
  withStoredSkus,
  type StockStatus,
} from '../../../db/platform/inventory/source-items.ts';
import {
  linkSources,
  searchStockSourceLinks,
  stocks,
  unlinkSources,
} from '../../../db/platform/inventory/stock-source-links.ts';
import { invalidValue } from '../../../domain/errors.ts';
import { quantityToWire } from '../../../domain/money.ts';
import { selectSources } from '../../../domain/platform/stock-sources.ts';
import { inputIsEmpty, stockNotFound, stockSourceLinksNotSaved } from '../../../domain/refusals/inventory.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { renderList, searchCriteria } from '../../wire/criteria.ts';
import {
  idParam,
  integer,
  integerBetween,
  listAnswer,
  payload,
  quantity,
  recordId,
  text,
  voidAnswer,
} from '../../wire/schemas.ts';
import { sourceRoutes } from './sources.ts';
import { deleteSourceItemsRoute, stockRoutes } from './stocks.ts';
import { invalidField } from '../../wire/outcomes.ts';

/** The sources of stocks, with their priority (platform facts 10). */
const listStockSourceLinks = route({
  method: 'GET',
  path: '/V1/inventory/stock-source-links',
  acl: 'Platform_InventoryApi::stock_source_link',
  summary: 'Search links of stocks and sources',
  name: 'listStockSourceLinks',
  description: `Which sources a stock sells from. The lowest \`priority\` is shipped from first. \`searchCriteria\`
    is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  query: z.object({ searchCriteria }),
  response: listAnswer(z.object({ stock_id: z.int(), source_code: z.string(), priority: z.int() })),

  async handle({ em, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchStockSourceLinks(em, criteria);
    const links = rows.map(({ stockId, sourceCode, priority }) => ({
      stock_id: stockId,
      source_code: sourceCode,
      priority,
    }));
    return renderList(criteria, links, totalCount);
  },
});

const maxLinks = 1_000;
const isEmpty: Outcome = inputIsEmpty;
const link = { stockId: idParam, sourceCode: text(64), extensionAttributes: z.unknown().optional() };

/** Adds sources to stocks (platform facts 10). A repeat changes nothing. Refused as `linkSources`. */
const linkSourcesRoute = route({
  name: 'linkSources',
  method: 'POST',
  path: '/V1/inventory/stock-source-links',
  acl: 'Platform_InventoryApi::stock_source_link',
  summary: 'Let stocks sell from sources',
  description: 'The lowest `priority` is shipped from first. A link that is there gets the new priority.',
  outcomes: [
    isEmpty,
    stockSourceLinksNotSaved,
    {
      status: 400,
      message: 'Validation Failed',
      when: 'A `priority` is below 1, or a code is blank: `errors` says which.',
    },
  ],
  examples: [
    {
      title: 'A shop that sells first',
      body: { links: [{ stock_id: 1, source_code: 'shop_berlin', priority: 1 }] },
      response: [],
    },
  ],
  body: z.object({ links: z.array(payload({ ...link, priority: integer.default(0) })).max(maxLinks) }),
  response: voidAnswer,

  async handle({ em, body: { links } }): Promise<[]> {
    if (links.length === 0) throw inputIsEmpty();
    await linkSources(
      em,
      links.map(({ stockId, sourceCode, priority }) => ({ stockId, sourceCode, priority })),
    );
    return [];
  },
});

/** Removes sources from stocks (platform facts 10). A repeat changes nothing. Refused with 400: an empty list. */
const unlinkSourcesRoute = route({
  name: 'unlinkSources',
  method: 'POST',
  path: '/V1/inventory/stock-source-links-delete',
  acl: 'Platform_InventoryApi::stock_source_link',
  summary: 'Let stocks no longer sell from sources',
  description: 'The goods stay at the source; what was promised to orders stays promised. A repeat changes nothing.',
  outcomes: [isEmpty],
  examples: [{ title: 'One link', body: { links: [{ stock_id: 1, source_code: 'shop_berlin' }] }, response: [] }],
  body: z.object({ links: z.array(payload({ ...link, priority: z.unknown().optional() })).max(maxLinks) }),
  response: voidAnswer,

  async handle({ em, body: { links } }): Promise<[]> {
    if (links.length === 0) throw inputIsEmpty();
    await unlinkSources(em, links);
    return [];
  },
});

const maxItems = 2_000;

const priority = {
  code: 'priority',
  title: 'Source Priority',
  description: 'Algorithm which provides Source Selections based on predefined priority of Sources',
};

/** The algorithms that select sources; there is one (platform facts 10). */
const listSourceSelectionAlgorithms = route({
  name: 'listSourceSelectionAlgorithms',
  method: 'GET',
  path: '/V1/inventory/source-selection-algorithm-list',
  acl: 'Platform_InventorySourceSelectionApi::source_selection_algorithm_list',
  summary: 'List the ways to choose sources',
  description: 'The codes that `source-selection-algorithm-result` takes.',
  outcomes: [],
  examples: [{ title: 'The one there is', response: [priority] }],
  response: z.array(z.object({ code: z.string(), title: z.string(), description: z.string() })),

  handle: () => Promise.resolve([priority]),
});

/**
 * Which source can ship which quantity (platform facts 10). It moves and reserves nothing.
 *
 * Refused with 404: unknown stock · 400: another algorithm than `priority`.
 */
const selectSourcesRoute = route({
  name: 'selectSources',
  method: 'POST',
  path: '/V1/inventory/source-selection-algorithm-result',
  acl: 'Platform_InventorySourceSelectionApi::source_selection_algorithm_post',
  summary: 'Choose the sources to ship from',
  description: `Walks through the enabled sources of the stock by priority and takes from each what lies there. A
    source that is not needed is named with \`qty_to_deduct\` 0. Nothing is moved and nothing is promised.
    \`shippable\` is false where the sources together hold too little.`,
  outcomes: [stockNotFound, invalidField('The algorithm is another than `priority`.')],
  examples: [
    {
      title: 'Two mugs from one shop',
      body: { inventoryRequest: { stock_id: 1, items: [{ sku: 'MUG-WHITE', qty: 2 }] }, algorithmCode: 'priority' },
      response: {
        source_selection_items: [{ source_code: 'default', sku: 'MUG-WHITE', qty_to_deduct: 2, qty_available: 40 }],
        shippable: true,
      },
    },
  ],
  body: z.object({
    inventoryRequest: payload({
      stockId: idParam,
      items: z.array(payload({ sku: text(64), qty: quantity })).max(maxItems),
      extensionAttributes: z.unknown().optional(),
    }),
    algorithmCode: text(64),
  }),
  response: z.object({
    source_selection_items: z.array(
      z.object({ source_code: z.string(), sku: z.string(), qty_to_deduct: z.number(), qty_available: z.number() }),
    ),
    shippable: z.boolean(),
  }),

  async handle({ em, body: { inventoryRequest, algorithmCode } }) {
    const { stockId } = inventoryRequest;
    if (algorithmCode !== priority.code) throw invalidValue('algorithmCode', algorithmCode);
    await stocks.find(em, stockId);
    const requested = await withStoredSkus(em, inventoryRequest.items);
    const skus = requested.map(({ sku }) => sku);
    const { items, isShippable } = selectSources(requested, await readQuantitiesByPriority(em, { stockId, skus }));
    return {
      source_selection_items: items.map(({ sourceCode, sku, qtyToDeduct, qtyAvailable }) => ({
        source_code: sourceCode,
        sku,
        qty_to_deduct: quantityToWire(qtyToDeduct),
        qty_available: quantityToWire(qtyAvailable),
      })),
      shippable: isShippable,
    };
  },
});

/** The one stock of single-source mode. */
const stockId = 1;
const maxPageSize = 1_000;

const statusAnswer = z
  .object({
    product_id: z.int(),
    stock_id: z.int(),
    qty: z.number(),
    /** 1 in stock, 0 out of stock. */
    stock_status: z.int(),
  })
  .meta({ id: 'StockStatus' });

const render = ({ productId, qty, isInStock }: StockStatus): z.input<typeof statusAnswer> => ({
  product_id: productId,
  stock_id: stockId,
  qty: quantityToWire(qty),
  stock_status: Number(isInStock),
});

const mug = { product_id: 1, stock_id: stockId, qty: 3, stock_status: 1 };

/** The stock status of a product in single-source mode (platform facts 9.1). Refused with 404: unknown sku. */
const getStockStatus = route({
  name: 'getStockStatus',
  method: 'GET',
  path: '/V1/stockStatuses/:productSku',
  acl: 'Platform_Catalog::catalog_inventory',
  summary: 'Stock status of a product',
  description: 'The quantity at the default source, and whether the product may be sold: `stock_status` 1 or 0.',
  outcomes: [
    { status: 404, message: `The Product with the "%1" SKU doesn't exist.`, when: 'No product has this SKU.' },
  ],
  examples: [{ title: 'A mug', params: { productSku: 'MUG-WHITE' }, response: mug }],
  params: z.object({ productSku: z.string() }),
  response: statusAnswer,

  handle: async ({ em, params: { productSku } }) => render(await readStockStatus(em, productSku)),
});

/** Products with low stock (platform facts 9.1). */
const listLowStock = route({
  name: 'listLowStock',
  method: 'GET',
  path: '/V1/stockItems/lowStock',
  acl: 'Platform_Catalog::catalog_inventory',
  summary: 'Products that run out',
  description: `Managed products with \`qty\` or less at the default source, the fewest first. \`scopeId\` is taken
    and means nothing here. A page has at most 1,000 rows.`,
  outcomes: [],
  examples: [
    {
      title: 'Five or fewer',
      query: 'qty=5&pageSize=20&currentPage=1',
      response: { items: [mug], search_criteria: { page_size: 20, current_page: 1 }, total_count: 1 },
    },
  ],
  query: z.object({
    scopeId: recordId.optional(),
    qty: quantity,
    currentPage: integerBetween(1, 1_000_000).default(1),
    pageSize: integerBetween(1, maxPageSize).default(100),
  }),
  response: z.object({
    items: z.array(statusAnswer),
    search_criteria: z.object({ page_size: z.int(), current_page: z.int() }),
    total_count: z.int(),
  }),

  async handle({ reader, query: { qty, currentPage, pageSize } }) {
    const { rows, totalCount } = await findLowStock(reader, { atMost: qty, pageSize, currentPage });
    return {
      items: rows.map(render),
      search_criteria: { page_size: pageSize, current_page: currentPage },
      total_count: totalCount,
    };
  },
});

/** Routes for opening shops and choosing sources (platform facts 10). */
export const inventoryRoutes: readonly AnyRoute[] = [
  ...sourceRoutes,
  deleteSourceItemsRoute,
  ...stockRoutes,
  listStockSourceLinks,
  linkSourcesRoute,
  unlinkSourcesRoute,
  listSourceSelectionAlgorithms,
  selectSourcesRoute,
  getStockStatus,
  listLowStock,
];
