import { z } from 'zod';
import { readSpecialPrices } from '../../../db/platform/catalog/read-stored-prices.ts';
import { dropSpecialPrices, setSpecialPrices } from '../../../db/platform/catalog/store-prices.ts';
import { toWire } from '../../../domain/money/amount.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { payload, storedMoney, text } from '../../wire/schemas.ts';
import { faults, manyDoor, place, pricesOf, saved, skus, unknownSkus } from './stored-price-words.ts';

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
  ...manyDoor,
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
  ...manyDoor,
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
  ...manyDoor,
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
