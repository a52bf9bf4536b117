import { z } from 'zod';
import { noSuchProduct } from '../../../db/platform/catalog/read-products.ts';
import { readSalability } from '../../../db/platform/inventory/source-items.ts';
import { quantityToWire } from '../../../domain/money.ts';
import { skuKey } from '../../../domain/platform/catalog/tier-rows.ts';
import { quantityErrors } from '../../../domain/platform/stock-rules.ts';
import { requestedProductMissing } from '../../../domain/refusals/catalog.ts';
import { quantityNotCheckable } from '../../../domain/refusals/inventory.ts';
import { route } from '../../http/route.ts';
import { oneOrMore } from '../../wire/rows.ts';
import { idParam, payload, quantity } from '../../wire/schemas.ts';

/** Enough for a basket; a query string cannot hold more. */
const maxSkus = 100;

/** As `is-product-salable`, for several products, in the order of the request; a plain list (platform facts 10). */
export const areProductsSalable = route({
  method: 'GET',
  path: '/V1/inventory/are-products-salable',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether products are for sale',
  name: 'areProductsSalable',
  description: 'The same for up to 100 products at once, as a plain list in the order asked.',
  outcomes: [],
  query: z.object({ skus: oneOrMore(z.string(), maxSkus), stockId: idParam }),
  response: z.array(z.object({ sku: z.string(), stock_id: z.int(), salable: z.boolean() })),

  async handle({ em, query: { skus, stockId } }) {
    const products = await readSalability(em, { skus, stockId });
    const known = new Map(products.map((product) => [skuKey(product.sku), product]));
    return skus.map((sku) => {
      const product = known.get(skuKey(sku));
      return { sku: product?.sku ?? sku, stock_id: stockId, salable: product?.isSalable === true };
    });
  },
});

/** Enough for a basket; a query string cannot hold more. */
const maxRequests = 100;

/**
 * As `is-product-salable-for-requested-qty`, for a whole basket, in the order of the request; a plain list (platform
 * facts 10).
 */
export const areQuantitiesSalable = route({
  method: 'GET',
  path: '/V1/inventory/are-product-salable-for-requested-qty',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether so many of each product are for sale',
  name: 'areQuantitiesSalable',
  description: 'The same for a whole basket of up to 100 lines, as a plain list in the order asked.',
  outcomes: [],
  query: z.object({
    skuRequests: z.array(payload({ sku: z.string(), qty: quantity })).max(maxRequests),
    stockId: idParam,
  }),
  response: z.array(
    z.strictObject({
      sku: z.string(),
      stock_id: z.int(),
      salable: z.boolean(),
      errors: z.array(z.strictObject({ code: z.string(), message: z.string() })),
    }),
  ),

  async handle({ em, query: { skuRequests, stockId } }) {
    const products = await readSalability(em, { skus: skuRequests.map(({ sku }) => sku), stockId });
    const standing = new Map(products.map((product) => [skuKey(product.sku), product]));
    return skuRequests.map(({ sku, qty }) => {
      const product = standing.get(skuKey(sku));
      const errors = quantityErrors(product, qty);
      return { sku: product?.sku ?? sku, stock_id: stockId, salable: errors.length === 0, errors };
    });
  },
});

/** Whether a stock can sell one more of a product: a bare flag, false for an unknown sku (platform facts 10). */
export const isProductSalable = route({
  method: 'GET',
  path: '/V1/inventory/is-product-salable/:sku/:stockId',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether a product is for sale',
  name: 'isProductSalable',
  description: 'Whether the stock may promise one more, as a bare flag. False for an unknown SKU.',
  outcomes: [],
  params: z.object({ sku: z.string(), stockId: idParam }),
  response: z.boolean(),

  async handle({ em, params: { sku, stockId } }) {
    const [product] = await readSalability(em, { skus: [sku], stockId });
    return product?.isSalable ?? false;
  },
});

/** Whether a stock can sell this quantity of a product, and if not, why (platform facts 10). */
export const isQuantitySalable = route({
  method: 'GET',
  path: '/V1/inventory/is-product-salable-for-requested-qty/:sku/:stockId/:requestedQty',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether so many of a product are for sale',
  name: 'isQuantitySalable',
  description: `Whether the stock may promise so many; \`errors\` says why not.`,
  outcomes: [],
  params: z.object({ sku: z.string(), stockId: idParam, requestedQty: quantity }),
  response: z.strictObject({
    salable: z.boolean(),
    errors: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  }),

  async handle({ em, params: { sku, stockId, requestedQty } }) {
    const [product] = await readSalability(em, { skus: [sku], stockId });
    const errors = quantityErrors(product, requestedQty);
    return { salable: errors.length === 0, errors };
  },
});

/** Product types that are sold as their parts and have no stock of their own. */
const withoutSourceItems: readonly string[] = ['configurable', 'bundle', 'grouped'];

/** The quantity of a product that a stock can still sell: a bare number (platform facts 10). */
export const getSalableQuantity = route({
  method: 'GET',
  path: '/V1/inventory/get-product-salable-quantity/:sku/:stockId',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Salable quantity of a product',
  name: 'getSalableQuantity',
  description: `How many the stock may still promise, as a bare number: what lies at its sources less what orders
    wait for.`,
  outcomes: [requestedProductMissing.because('No product has this SKU.'), quantityNotCheckable],
  params: z.object({ sku: z.string(), stockId: idParam }),
  response: z.number(),

  async handle({ em, params: { sku, stockId } }) {
    const [product] = await readSalability(em, { skus: [sku], stockId });
    if (!product) throw noSuchProduct();
    if (withoutSourceItems.includes(product.typeId)) throw quantityNotCheckable();
    return quantityToWire(product.quantity);
  },
});
