import { z } from 'zod';
import { dropTierPrices, readTierPrices, setTierPrices } from '../../../db/platform/catalog/store-tier-prices.ts';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { integer, payload, quantity, storedMoney, text } from '../../wire/schemas.ts';

const door = { acl: 'Platform_Catalog::catalog' } as const;

/** The most rows of one call. */
const mostRows = 1_000;

const row = payload({
  sku: text(64),
  price: storedMoney,
  priceType: text(32),
  websiteId: integer,
  customerGroup: text(32),
  quantity,
  extensionAttributes: z.unknown().optional(),
});
const prices = z.object({ prices: z.array(row).max(mostRows) });
const toRow = ({ extensionAttributes: _read, ...given }: z.output<typeof row>) => given;
const faults = z.array(z.object({ message: z.string(), parameters: z.array(z.string()) }));

const tierAnswer = z.object({
  price: z.number(),
  price_type: z.string(),
  website_id: z.int(),
  sku: z.string(),
  customer_group: z.string(),
  quantity: z.number(),
});
const example = {
  ...{ price: 10, price_type: 'fixed', website_id: 0, sku: 'MUG-BLUE', customer_group: 'ALL GROUPS', quantity: 6 },
};

const saved = `\`price_type\` is \`fixed\` (base currency) or \`discount\` (percent). The group is given by its code, \`ALL GROUPS\` is every group,
website 0 is every website. Rows that hold are saved, all in one transaction; of the others the answer says what is wrong. A
repeat changes nothing.`;

const readTiers = route({
  ...door,
  method: 'POST',
  path: '/V1/products/tier-prices-information',
  name: 'readTierPrices',
  summary: 'Read the tier prices of many products',
  description: 'A row for each website, group and quantity that has a price of its own.',
  outcomes: [{ status: 404, message: "Requested products don't exist: %sku", when: 'One of the skus is unknown.' }],
  examples: [{ title: 'One', body: { skus: ['MUG-BLUE'] }, response: [example] }],
  body: z.object({ skus: z.array(text(64)).max(mostRows) }),
  response: z.array(tierAnswer),

  handle: async ({ em, body }) =>
    (await readTierPrices(em, body.skus)).map(({ sku, value, percentageValue, websiteId, customerGroup, qty }) => ({
      price: (percentageValue ?? value) / unitsPerWhole,
      price_type: percentageValue === undefined ? 'fixed' : 'discount',
      website_id: websiteId,
      sku,
      customer_group: customerGroup,
      quantity: qty / unitsPerWhole,
    })),
});

const save = (method: 'POST' | 'PUT') =>
  route({
    ...door,
    method,
    path: '/V1/products/tier-prices',
    name: method === 'POST' ? 'saveTierPrices' : 'replaceTierPrices',
    summary: `${method === 'POST' ? 'Save' : 'Replace'} the tier prices of many products`,
    description: method === 'POST' ? saved : `Of each product that is named all other tier prices go. ${saved}`,
    outcomes: [],
    examples: [{ title: 'All saved', body: { prices: [example] }, response: [] }],
    body: prices,
    response: faults,

    handle: ({ em, body }) => setTierPrices(em, body.prices.map(toRow), { isWhole: method === 'PUT' }),
  });

const remove = route({
  ...door,
  method: 'POST',
  path: '/V1/products/tier-prices-delete',
  name: 'deleteTierPrices',
  summary: 'Delete tier prices of many products',
  description: 'A row must have the price as it is saved. A repeat answers each row as not found.',
  outcomes: [],
  examples: [{ title: 'All gone', body: { prices: [example] }, response: [] }],
  body: prices,
  response: faults,

  handle: ({ em, body }) => dropTierPrices(em, body.prices.map(toRow)),
});

/** Tier prices of many products at once (platform facts 9.1). */
export const storedTierPriceRoutes: readonly AnyRoute[] = [readTiers, save('POST'), save('PUT'), remove];
