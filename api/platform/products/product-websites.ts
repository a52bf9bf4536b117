import { z } from 'zod';
import { deleteProduct } from '../../../db/platform/catalog/products.ts';
import { dropGroupPrice, readGroupPrices, setGroupPrice } from '../../../db/platform/catalog/group-prices.ts';
import { addToWebsite, takeOffWebsite } from '../../../db/platform/catalog/product-places.ts';
import {
  dataNotValid,
  noSuchGroupPrice,
  noWebsitesToAssign,
  productNotRemoved,
  requestedProductMissing,
  websitesNotAssigned,
} from '../../../domain/refusals/catalog.ts';
import { done, route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, payload, quantity, recordId, storedMoney, text } from '../../wire/schemas.ts';
import { renderTierPrice, tierPriceAnswer } from './render-product.ts';

/** Texts that several routes of products use. */
export const unknownProduct: Outcome = requestedProductMissing.because('There is no product of this sku.');

const access = { acl: 'Platform_Catalog::catalog' } as const;
const sku = 'MUG-BLUE';

const add = (method: 'POST' | 'PUT') =>
  route({
    ...access,
    method,
    path: '/V1/products/:sku/websites',
    name: method === 'POST' ? 'addProductToWebsite' : 'saveProductOnWebsite',
    summary: method === 'POST' ? 'Sell a product on a website' : 'Sell a product on a website, as POST',
    description: 'On one more. A repeat changes nothing. The sku of the path counts.',
    outcomes: [unknownProduct, noWebsitesToAssign, websitesNotAssigned],
    examples: [
      {
        title: 'The first website',
        params: { sku },
        body: { productWebsiteLink: { sku, website_id: 1 } },
        response: true,
      },
    ],
    params: z.object({ sku: z.string() }),
    body: z.object({
      productWebsiteLink: payload({ sku: z.unknown().optional(), websiteId: recordId.default(0) }),
    }),
    response: z.literal(true),

    handle: ({ em, params, body }) =>
      done(addToWebsite(em, { ...params, websiteId: body.productWebsiteLink.websiteId })),
  });

const takeOff = route({
  ...access,
  method: 'DELETE',
  path: '/V1/products/:sku/websites/:websiteId',
  name: 'takeProductOffWebsite',
  summary: 'Take a product off a website',
  description: 'Where it was not sold there, nothing changes.',
  outcomes: [unknownProduct],
  examples: [{ title: 'Taken off', params: { sku, websiteId: 2 }, response: true }],
  params: z.object({ sku: z.string(), websiteId: idParam }),
  response: z.literal(true),

  handle: ({ em, params }) => done(takeOffWebsite(em, params)),
});

/** Where products are sold (platform facts 9.1). */
export const productWebsiteRoutes: readonly AnyRoute[] = [add('POST'), add('PUT'), takeOff];

/**
 * Deletes a product with its stock; orders, invoices and memos keep its data (platform facts 9.1). A repeat is a 404.
 *
 * Refused with: 404 unknown sku · 400 it is reserved for an order.
 */
export const deleteProductRoute = route({
  method: 'DELETE',
  path: '/V1/products/:sku',
  acl: 'Platform_Catalog::products',
  name: 'deleteProduct',
  summary: 'Delete a product',
  description: `With its stock and its own prices; carts and wish lists lose it. Orders and all that belongs to them
    keep what they say.
To take something off sale that orders wait for, set \`status\` to 2.`,
  outcomes: [unknownProduct, productNotRemoved],
  examples: [{ title: 'Deleted', params: { sku: 'MUG-BLUE' }, response: true }],
  params: z.object({ sku: z.string() }),
  response: z.literal(true),

  async handle({ em, params: { sku }, workflows, log }) {
    await deleteProduct(em, sku);
    await followPrices({ em, workflows, log });
    return true as const;
  },
});

/** An id, or `all`. */
const group = text(20);
const example = { sku: 'MUG-BLUE', customerGroupId: 'all' };

const unknownGroup = unknownEntity('There is no such group of customers.');

const listOfGroup = route({
  ...access,
  method: 'GET',
  path: '/V1/products/:sku/group-prices/:customerGroupId/tiers',
  name: 'listGroupPrices',
  summary: 'List the prices of a group of customers for a product',
  description: 'By quantity, in base currency. The group `all` has the prices of everybody.',
  outcomes: [unknownProduct],
  examples: [
    {
      title: 'One',
      params: example,
      response: [{ customer_group_id: 32_000, qty: 6, value: 10, extension_attributes: { website_id: 0 } }],
    },
  ],
  params: z.object({ sku: z.string(), customerGroupId: group }),
  response: z.array(tierPriceAnswer),

  async handle({ em, params: { sku, customerGroupId } }) {
    const { price, tiers } = await readGroupPrices(em, { sku, group: customerGroupId });
    return tiers.map((tier) => renderTierPrice(tier, price));
  },
});

const set = route({
  ...access,
  method: 'POST',
  path: '/V1/products/:sku/group-prices/:customerGroupId/tiers/:qty/price/:price',
  name: 'setGroupPrice',
  summary: 'Set the price of a group of customers from a quantity on',
  description: 'In base currency, on every website; all of it is in the path. A repeat changes nothing.',
  outcomes: [unknownProduct, unknownGroup, dataNotValid],
  examples: [{ title: 'Six for ten each', params: { ...example, qty: 6, price: 10 }, response: true }],
  params: z.object({ sku: z.string(), customerGroupId: group, qty: quantity, price: storedMoney }),
  response: z.literal(true),

  handle: ({ em, params: { customerGroupId, ...place } }) =>
    done(setGroupPrice(em, { ...place, group: customerGroupId })),
});

const remove = route({
  ...access,
  method: 'DELETE',
  path: '/V1/products/:sku/group-prices/:customerGroupId/tiers/:qty',
  name: 'deleteGroupPrice',
  summary: 'Delete the price of a group of customers',
  description: 'The one from this quantity on, on every website. A repeat is a 404.',
  outcomes: [unknownProduct, noSuchGroupPrice],
  examples: [{ title: 'Deleted', params: { ...example, qty: 6 }, response: true }],
  params: z.object({ sku: z.string(), customerGroupId: group, qty: quantity }),
  response: z.literal(true),

  handle: ({ em, params: { customerGroupId, ...place } }) =>
    done(dropGroupPrice(em, { ...place, group: customerGroupId })),
});

/** The prices of groups for one product (platform facts 9.1). */
export const groupPriceRoutes: readonly AnyRoute[] = [listOfGroup, set, remove];
