import { z } from 'zod';
import { dropTierPrices, readTierPrices, setTierPrices } from '../../../db/platform/catalog/tier-prices.ts';
import { readBasePrices, readCosts, readSpecialPrices } from '../../../db/platform/catalog/read-attributes-of-set.ts';
import {
  dropCosts,
  dropSpecialPrices,
  setBasePrices,
  setCosts,
  setSpecialPrices,
} from '../../../db/platform/catalog/store-prices.ts';
import { toWire, unitsPerWhole } from '../../../domain/money.ts';
import { requestedProductsMissing } from '../../../domain/refusals/catalog.ts';
import { done, route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { payload, quantity, recordId, storedMoney, text } from '../../wire/schemas.ts';

/** Texts that the routes of many prices share. */

const manyAccess = { acl: 'Platform_Catalog::catalog', method: 'POST' } as const;

/** The most rows of one call. */
const mostRows = 1_000;

const skus = z.array(text(64)).max(mostRows);
const place = { sku: text(64), storeId: recordId, extensionAttributes: z.unknown().optional() };
const pricesOf = <Row extends z.ZodType>(row: Row) => z.object({ prices: z.array(row).max(mostRows) });

const faults = z.array(z.object({ message: z.string(), parameters: z.array(z.string()) }));

const unknownSkus: Outcome = requestedProductsMissing.because(
  'One of the skus is unknown; then nothing is answered and nothing is changed.',
);

const saved = `Rows that hold are saved, all in one transaction. Of the others the answer says what is wrong: an empty list means that all
were saved. Prices are base currency. A repeat changes nothing.`;

const baseAnswer = z.object({ price: z.number(), store_id: z.int(), sku: z.string() });
const exampleBase = { price: 12.5, store_id: 0, sku: 'MUG-BLUE' };

const readBase = route({
  ...manyAccess,
  path: '/V1/products/base-prices-information',
  name: 'readBasePrices',
  summary: 'Read the prices of many products',
  description: 'As they hold above all store views: a price has no scope here. Base currency.',
  outcomes: [unknownSkus],
  examples: [{ title: 'One', body: { skus: ['MUG-BLUE'] }, response: [exampleBase] }],
  body: z.object({ skus }),
  response: z.array(baseAnswer),

  handle: async ({ em, body }) =>
    (await readBasePrices(em, body.skus)).map(({ sku, price }) => ({ price: toWire(price), store_id: 0, sku })),
});

const saveBase = route({
  ...manyAccess,
  path: '/V1/products/base-prices',
  name: 'saveBasePrices',
  summary: 'Save the prices of many products',
  description: saved,
  outcomes: [],
  examples: [{ title: 'All saved', body: { prices: [exampleBase] }, response: [] }],
  body: pricesOf(payload({ ...place, price: storedMoney.optional() })),
  response: faults,

  async handle({ em, workflows, log, body }) {
    const answer = await setBasePrices(
      em,
      body.prices.map(({ sku, storeId, price }) => ({ sku, storeId, price })),
    );
    await followPrices({ em, workflows, log });
    return answer;
  },
});

const costAnswer = z.object({ cost: z.number(), store_id: z.int(), sku: z.string() });
const exampleCost = { cost: 7.5, store_id: 0, sku: 'MUG-BLUE' };

const readCost = route({
  ...manyAccess,
  path: '/V1/products/cost-information',
  name: 'readCosts',
  summary: 'Read the costs of many products',
  description:
    'Store 0 is above all views; a website with a cost of its own has a row for each of its views. Base currency.',
  outcomes: [unknownSkus],
  examples: [{ title: 'One', body: { skus: ['MUG-BLUE'] }, response: [exampleCost] }],
  body: z.object({ skus }),
  response: z.array(costAnswer),

  handle: async ({ em, body }) =>
    (await readCosts(em, body.skus)).map(({ sku, storeId, cost }) => ({ cost: toWire(cost), store_id: storeId, sku })),
});

const saveCost = route({
  ...manyAccess,
  path: '/V1/products/cost',
  name: 'saveCosts',
  summary: 'Save the costs of many products',
  description: `${saved} A cost holds for the whole website of its store view.`,
  outcomes: [],
  examples: [{ title: 'All saved', body: { prices: [exampleCost] }, response: [] }],
  body: pricesOf(payload({ ...place, cost: storedMoney.optional() })),
  response: faults,

  handle: ({ em, body }) =>
    setCosts(
      em,
      body.prices.map(({ sku, storeId, cost }) => ({ sku, storeId, cost })),
    ),
});

const deleteCost = route({
  ...manyAccess,
  path: '/V1/products/cost-delete',
  name: 'deleteCosts',
  summary: 'Delete the costs of many products',
  description: 'Everywhere. A repeat changes nothing.',
  outcomes: [unknownSkus],
  examples: [{ title: 'Gone', body: { skus: ['MUG-BLUE'] }, response: true }],
  body: z.object({ skus }),
  response: z.literal(true),

  handle: ({ em, body }) => done(dropCosts(em, body.skus)),
});

/** Prices and costs of many products at once (platform facts 9.1). */
export const storedPriceRoutes: readonly AnyRoute[] = [readBase, saveBase, readCost, saveCost, deleteCost];

const specialAnswer = z.object({
  price: z.number(),
  store_id: z.int(),
  sku: z.string(),
  price_from: z.string().nullable(),
  price_to: z.string().nullable(),
});
const exampleSpecial = {
  ...{ price: 10, store_id: 0, sku: 'MUG-BLUE', price_from: '2026-11-21 00:00:00', price_to: '2026-12-24 00:00:00' },
};
const specialRow = payload({
  ...place,
  price: storedMoney.optional(),
  priceFrom: text(64).optional(),
  priceTo: text(64).optional(),
});
const toSpecial = ({ sku, storeId, price, priceFrom, priceTo }: z.output<typeof specialRow>) => ({
  ...{ sku, storeId, price, from: priceFrom || undefined, to: priceTo || undefined },
});

const readSpecial = route({
  ...manyAccess,
  path: '/V1/products/special-price-information',
  name: 'readSpecialPrices',
  summary: 'Read the special prices of many products',
  description: 'By store view, as for costs. Days are those of the website’s time zone. Base currency.',
  outcomes: [unknownSkus],
  examples: [{ title: 'One', body: { skus: ['MUG-BLUE'] }, response: [exampleSpecial] }],
  body: z.object({ skus }),
  response: z.array(specialAnswer),

  handle: async ({ em, body }) =>
    (await readSpecialPrices(em, body.skus)).map(({ sku, storeId, price, priceFrom, priceTo }) => ({
      ...{ price: toWire(price), store_id: storeId, sku, price_from: priceFrom, price_to: priceTo },
    })),
});

const saveSpecial = route({
  ...manyAccess,
  path: '/V1/products/special-price',
  name: 'saveSpecialPrices',
  summary: 'Save the special prices of many products',
  description: `${saved} A special price holds for the whole website of its store view; without \`price_from\` it begins today.`,
  outcomes: [],
  examples: [{ title: 'All saved', body: { prices: [exampleSpecial] }, response: [] }],
  body: pricesOf(specialRow),
  response: faults,

  async handle({ em, now, workflows, log, body }) {
    const answer = await setSpecialPrices(em, body.prices.map(toSpecial), { now });
    await followPrices({ em, workflows, log });
    return answer;
  },
});

const deleteSpecial = route({
  ...manyAccess,
  path: '/V1/products/special-price-delete',
  name: 'deleteSpecialPrices',
  summary: 'Delete special prices of many products',
  description: 'A row must have the price and the first day as they are saved. A repeat answers each row as not found.',
  outcomes: [],
  examples: [{ title: 'All gone', body: { prices: [exampleSpecial] }, response: [] }],
  body: pricesOf(specialRow),
  response: faults,

  async handle({ em, workflows, log, body }) {
    const answer = await dropSpecialPrices(em, body.prices.map(toSpecial));
    await followPrices({ em, workflows, log });
    return answer;
  },
});

/** Special prices of many products at once (platform facts 9.1). */
export const storedSpecialPriceRoutes: readonly AnyRoute[] = [readSpecial, saveSpecial, deleteSpecial];

const access = { acl: 'Platform_Catalog::catalog' } as const;

const row = payload({
  sku: text(64),
  price: storedMoney,
  priceType: text(32),
  websiteId: recordId,
  customerGroup: text(32),
  quantity,
  extensionAttributes: z.unknown().optional(),
});
const prices = z.object({ prices: z.array(row).max(mostRows) });
const toRow = ({ extensionAttributes: _read, ...input }: z.output<typeof row>) => input;
const storedTierPricesFaults = z.array(z.object({ message: z.string(), parameters: z.array(z.string()) }));

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

const storedTierPricesSaved = `\`price_type\` is \`fixed\` (base currency) or \`discount\` (percent). The group is given by its code, \`ALL GROUPS\` is every group,
website 0 is every website. Rows that hold are saved, all in one transaction; of the others the answer says what is wrong. A
repeat changes nothing.`;

const readTiers = route({
  ...access,
  method: 'POST',
  path: '/V1/products/tier-prices-information',
  name: 'readTierPrices',
  summary: 'Read the tier prices of many products',
  description: 'A row for each website, group and quantity that has a price of its own.',
  outcomes: [requestedProductsMissing.because('One of the skus is unknown.')],
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
    ...access,
    method,
    path: '/V1/products/tier-prices',
    name: method === 'POST' ? 'saveTierPrices' : 'replaceTierPrices',
    summary: `${method === 'POST' ? 'Save' : 'Replace'} the tier prices of many products`,
    description:
      method === 'POST'
        ? storedTierPricesSaved
        : `Of each product that is named all other tier prices go. ${storedTierPricesSaved}`,
    outcomes: [],
    examples: [{ title: 'All saved', body: { prices: [example] }, response: [] }],
    body: prices,
    response: storedTierPricesFaults,

    handle: ({ em, body }) => setTierPrices(em, body.prices.map(toRow), { isWhole: method === 'PUT' }),
  });

const remove = route({
  ...access,
  method: 'POST',
  path: '/V1/products/tier-prices-delete',
  name: 'deleteTierPrices',
  summary: 'Delete tier prices of many products',
  description: 'A row must have the price as it is saved. A repeat answers each row as not found.',
  outcomes: [],
  examples: [{ title: 'All gone', body: { prices: [example] }, response: [] }],
  body: prices,
  response: storedTierPricesFaults,

  handle: ({ em, body }) => dropTierPrices(em, body.prices.map(toRow)),
});

/** Tier prices of many products at once (platform facts 9.1). */
export const storedTierPriceRoutes: readonly AnyRoute[] = [readTiers, save('POST'), save('PUT'), remove];
