import { z } from 'zod';
import { findLowStock, readStockStatus, type StockStatus } from '../../../db/platform/inventory/read-stock-status.ts';
import { quantityToWire } from '../../../domain/money/quantity.ts';
import { route } from '../../http/route.ts';
import { integer, integerBetween, quantity } from '../../wire/schemas.ts';

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
export const getStockStatus = route({
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
export const listLowStock = route({
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
    scopeId: integer.optional(),
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
