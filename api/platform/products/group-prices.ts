import { z } from 'zod';
import { dropGroupPrice, readGroupPrices, setGroupPrice } from '../../../db/platform/catalog/group-prices.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { quantity, storedMoney, text } from '../../wire/schemas.ts';
import { unknownProduct } from './product-words.ts';
import { renderTierPrice, tierPriceAnswer } from './render-tier-price.ts';

const door = { acl: 'Platform_Catalog::catalog' } as const;

/** An id, or `all`. */
const group = text(10);
const example = { sku: 'MUG-BLUE', customerGroupId: 'all' };

const unknownGroup = unknownEntity('There is no such group of customers.');

const listOfGroup = route({
  ...door,
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
  ...door,
  method: 'POST',
  path: '/V1/products/:sku/group-prices/:customerGroupId/tiers/:qty/price/:price',
  name: 'setGroupPrice',
  summary: 'Set the price of a group of customers from a quantity on',
  description: 'In base currency, on every website; all of it is in the path. A repeat changes nothing.',
  outcomes: [
    unknownProduct,
    unknownGroup,
    {
      status: 400,
      message: 'The data was invalid. Verify the data and try again.',
      when: 'Price or quantity are not above zero.',
    },
  ],
  examples: [{ title: 'Six for ten each', params: { ...example, qty: 6, price: 10 }, response: true }],
  params: z.object({ sku: z.string(), customerGroupId: group, qty: quantity, price: storedMoney }),
  response: z.literal(true),

  async handle({ em, params: { customerGroupId, ...place } }) {
    await setGroupPrice(em, { ...place, group: customerGroupId });
    return true as const;
  },
});

const remove = route({
  ...door,
  method: 'DELETE',
  path: '/V1/products/:sku/group-prices/:customerGroupId/tiers/:qty',
  name: 'deleteGroupPrice',
  summary: 'Delete the price of a group of customers',
  description: 'The one from this quantity on, on every website. A repeat is a 404.',
  outcomes: [
    unknownProduct,
    {
      status: 404,
      message: "Product hasn't group price with such data: customerGroupId = '%1', website = %2, qty = %3",
      when: 'The product has no such price.',
    },
  ],
  examples: [{ title: 'Deleted', params: { ...example, qty: 6 }, response: true }],
  params: z.object({ sku: z.string(), customerGroupId: group, qty: quantity }),
  response: z.literal(true),

  async handle({ em, params: { customerGroupId, ...place } }) {
    await dropGroupPrice(em, { ...place, group: customerGroupId });
    return true as const;
  },
});

/** The prices of groups for one product (platform facts 9.1). */
export const groupPriceRoutes: readonly AnyRoute[] = [listOfGroup, set, remove];
