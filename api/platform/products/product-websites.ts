import { z } from 'zod';
import { addToWebsite, takeOffWebsite } from '../../../db/platform/catalog/product-websites.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { idParam, integer, payload } from '../../wire/schemas.ts';
import { unknownProduct } from './product-words.ts';

const door = { acl: 'Platform_Catalog::catalog' } as const;
const sku = 'MUG-BLUE';

const add = (method: 'POST' | 'PUT') =>
  route({
    ...door,
    method,
    path: '/V1/products/:sku/websites',
    name: method === 'POST' ? 'addProductToWebsite' : 'saveProductOnWebsite',
    summary: method === 'POST' ? 'Sell a product on a website' : 'Sell a product on a website, as POST',
    description: 'On one more. A repeat changes nothing. The sku of the path counts.',
    outcomes: [
      unknownProduct,
      { status: 400, message: 'There are not websites for assign to product', when: 'No website is named.' },
      {
        status: 400,
        message: 'Could not assign product "%1" to websites "%2"',
        when: 'There is no such website.',
      },
    ],
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
      productWebsiteLink: payload({ sku: z.unknown().optional(), websiteId: integer.default(0) }),
    }),
    response: z.literal(true),

    async handle({ em, params, body }) {
      await addToWebsite(em, { ...params, websiteId: body.productWebsiteLink.websiteId });
      return true as const;
    },
  });

const takeOff = route({
  ...door,
  method: 'DELETE',
  path: '/V1/products/:sku/websites/:websiteId',
  name: 'takeProductOffWebsite',
  summary: 'Take a product off a website',
  description: 'Where it was not sold there, nothing changes.',
  outcomes: [unknownProduct],
  examples: [{ title: 'Taken off', params: { sku, websiteId: 2 }, response: true }],
  params: z.object({ sku: z.string(), websiteId: idParam }),
  response: z.literal(true),

  async handle({ em, params }) {
    await takeOffWebsite(em, params);
    return true as const;
  },
});

/** Where products are sold (platform facts 9.1). */
export const productWebsiteRoutes: readonly AnyRoute[] = [add('POST'), add('PUT'), takeOff];
