import { z } from 'zod';
import { noSuchSet } from '../../../db/platform/catalog/assign-scoped-values.ts';
import { notAPrice } from '../../../db/platform/catalog/attributes.ts';
import { saveProduct } from '../../../db/platform/catalog/configurable-products.ts';
import { productTypes } from '../../../db/platform/catalog/product.entity.ts';
import { searchProducts } from '../../../db/platform/catalog/products.ts';
import { productAt } from '../../../db/platform/catalog/read-products.ts';
import { valueIsNotUnique } from '../../../db/platform/catalog/unique-values.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import {
  attributeValueEmpty,
  attributeValueRefused,
  countryStatesNotUnique,
  groupPriceNotPositive,
  percentageOutOfRange,
  requestedProductMissing,
  tierPriceDuplicate,
} from '../../../domain/refusals/catalog.ts';
import { noSuchRecord, attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { route, type Outcome } from '../../http/route.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { renderList, searchCriteria } from '../../wire/criteria.ts';
import { invalidField } from '../../wire/outcomes.ts';
import { listAnswer } from '../../wire/schemas.ts';
import { tooManyOptions, wrongOption } from './custom-options.ts';
import { largestPictureBody } from './product-media.ts';
import { productPayload, toProductDraft } from './product-payload.ts';
import { productAnswer, readWholeProduct, renderProduct } from './render-product.ts';

/** Refusals that several routes of this folder share. */

const wrongSpecialPrice: Outcome = {
  status: 400,
  message: notAPrice,
  when: 'A special price, a cost or another price is below zero, or no number.',
};

const wrongAttribute: Outcome = attributeValueRefused;

const wrongTierPrices: readonly Outcome[] = [groupPriceNotPositive, percentageOutOfRange, tierPriceDuplicate];

const wrongProductValue: Outcome = invalidField(
  'A negative price; a website, a customer group, a category or a tax class that does not exist.',
);

const demandedValues: readonly Outcome[] = [
  { status: 400, message: noSuchSet, when: 'There is no set of products of the id `attribute_set_id`.' },
  { status: 400, message: valueIsNotUnique, when: 'One product alone may have the value, and another has it.' },
];

/** How a product that is saved can be refused, new or not. */
const refusedProduct: readonly Outcome[] = [
  attributeValueEmpty,
  ...demandedValues,
  wrongProductValue,
  countryStatesNotUnique,
  wrongSpecialPrice,
  wrongAttribute,
  ...wrongTierPrices,
  ...wrongOption,
  tooManyOptions,
  noSuchRecord,
];

/** Saves a product under its sku: creates it, or changes the sent fields (platform facts 9.1). */
export const createProduct = route({
  method: 'POST',
  path: '/V1/products',
  acl: 'Platform_Catalog::products',
  summary: 'Create or change a product',
  name: 'createProduct',
  description: `A new product, or what is sent of the one with this SKU. Prices are in the base currency. A repeat
    leaves the same product.`,
  outcomes: refusedProduct,
  body: z.object({ product: productPayload, saveOptions: z.unknown().optional() }),
  largestBody: largestPictureBody,
  response: productAnswer,

  async handle({ em, body: { product }, store, now, workflows, log }) {
    if (product.sku === undefined) throw fieldRequired('sku');
    const draft = await toProductDraft(product);
    await saveProduct(em, { sku: product.sku, draft, place: store, now });
    await followPrices({ em, workflows, log });
    return readWholeProduct(em, { sku: product.sku, store });
  },
});

/** One product with its stock item and the fixed taxes of the store's website (platform facts 9.1, 9.2). */
export const getProduct = route({
  method: 'GET',
  path: '/V1/products/:sku',
  acl: 'Platform_Catalog::products',
  summary: 'One product',
  name: 'getProduct',
  description: `With its stock item and the fixed taxes of the store’s website. Prices are in the base currency,
    before tax.`,
  outcomes: [requestedProductMissing.because('No product has this SKU.')],
  params: z.object({ sku: z.string() }),
  response: productAnswer,

  handle: ({ reader, params: { sku }, store }) => readWholeProduct(reader, { sku, store }),
});

/**
 * Changes the sent fields of a product and keeps the rest. The sku of the path counts; an unknown one creates a product
 * (platform facts 4.2, 9.1).
 */
export const updateProduct = route({
  method: 'PUT',
  path: '/V1/products/:sku',
  acl: 'Platform_Catalog::products',
  summary: 'Change a product',
  name: 'updateProduct',
  description: `What you leave out stays. The SKU of the path counts; one that is new is created. Prices are in the
    base currency. A repeat leaves the same product.`,
  outcomes: refusedProduct,
  params: z.object({ sku: z.string() }),
  body: z.object({ product: productPayload, saveOptions: z.unknown().optional() }),
  largestBody: largestPictureBody,
  response: productAnswer,

  async handle({ em, params: { sku }, body: { product }, store, now, workflows, log }) {
    const draft = await toProductDraft(product);
    await saveProduct(em, { sku, draft, place: store, now });
    await followPrices({ em, workflows, log });
    return readWholeProduct(em, { sku, store });
  },
});

/**
 * Searches products by `searchCriteria` (platform facts 3, 9.1). `category_id` and `website_id` find the products of a
 * category or website.
 */
export const listProducts = route({
  method: 'GET',
  path: '/V1/products',
  acl: 'Platform_Catalog::products',
  summary: 'Search products',
  name: 'listProducts',
  description: `Found and answered in the words of the path’s store view. \`category_id\` and \`website_id\` ask for
    membership. Prices are in the base currency, before tax. Stock items and fixed taxes come with the single read
    only. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  query: z.object({ searchCriteria }),
  response: listAnswer(productAnswer),

  async handle({ reader, query: { searchCriteria: criteria }, store }) {
    const { rows, totalCount } = await searchProducts(reader, criteria, store);
    return renderList(
      criteria,
      rows.map((row) => renderProduct(productAt(row, store))),
      totalCount,
    );
  },
});

const labels: Record<(typeof productTypes)[number], string> = {
  simple: 'Simple Product',
  virtual: 'Virtual Product',
  configurable: 'Configurable Product',
  bundle: 'Bundle Product',
  grouped: 'Grouped Product',
  downloadable: 'Downloadable Product',
};

const types = productTypes.map((name) => ({ name, label: labels[name] }));

/** The types a product may have (platform facts 9.1). */
export const listProductTypes = route({
  method: 'GET',
  path: '/V1/products/types',
  acl: 'Platform_Catalog::products',
  name: 'listProductTypes',
  summary: 'List the types of products',
  description: 'What `type_id` of a product may be.',
  outcomes: [],
  examples: [{ title: 'All', response: types }],
  response: z.array(z.object({ name: z.string(), label: z.string() })),
  handle: async () => types,
});
