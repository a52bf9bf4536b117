import { z } from 'zod';
import { readBasePrices, readCosts } from '../../../db/platform/catalog/read-stored-prices.ts';
import { dropCosts, setBasePrices, setCosts } from '../../../db/platform/catalog/store-prices.ts';
import { toWire } from '../../../domain/money/amount.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { payload, storedMoney } from '../../wire/schemas.ts';
import { faults, manyDoor, place, pricesOf, saved, skus, unknownSkus } from './stored-price-words.ts';

const baseAnswer = z.object({ price: z.number(), store_id: z.int(), sku: z.string() });
const exampleBase = { price: 12.5, store_id: 0, sku: 'MUG-BLUE' };

const readBase = route({
  ...manyDoor,
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
  ...manyDoor,
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
  ...manyDoor,
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
  ...manyDoor,
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
  ...manyDoor,
  path: '/V1/products/cost-delete',
  name: 'deleteCosts',
  summary: 'Delete the costs of many products',
  description: 'Everywhere. A repeat changes nothing.',
  outcomes: [unknownSkus],
  examples: [{ title: 'Gone', body: { skus: ['MUG-BLUE'] }, response: true }],
  body: z.object({ skus }),
  response: z.literal(true),

  async handle({ em, body }) {
    await dropCosts(em, body.skus);
    return true as const;
  },
});

/** Prices and costs of many products at once (platform facts 9.1). */
export const storedPriceRoutes: readonly AnyRoute[] = [readBase, saveBase, readCost, saveCost, deleteCost];
