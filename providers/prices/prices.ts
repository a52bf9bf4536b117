import type { MikroORM } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { readStoreSetting } from '../../db/configuration/read-store-setting.ts';
import type { CreditStanding } from '../../db/credit-limits/read-credit-standing.ts';
import { readContractPrices } from '../../db/prices/read-contract-prices.ts';
import { groupLimits } from '../../domain/credit-limits.ts';
import { coinOf, parseAmount, parseQuantity, type Amount, type Quantity, zero } from '../../domain/money.ts';
import { skuKey } from '../../domain/platform/catalog/tier-rows.ts';
import { contractPrice, groupPrice } from '../../domain/prices.ts';
import { postJson, type JsonAnswer } from '../post-json.ts';
import type { PriceQuestion, PriceResolver } from '../prices.ts';

/** Contract prices from the shop's own database (`pos prices load`), read in one statement. */
const createContractPrices = (orm: MikroORM): PriceResolver => ({
  code: 'contract',
  async resolve({ products, customerId, websiteId }) {
    const skus = products.map(({ sku }) => sku);
    const steps = Map.groupBy(await readContractPrices(orm.em.fork(), { customerId, websiteId, skus }), ({ sku }) =>
      skuKey(sku),
    );
    return new Map(
      products.flatMap((product) => {
        const price = contractPrice(product.price, steps.get(skuKey(product.sku)) ?? []);
        return price ? [[product.sku, price] as const] : [];
      }),
    );
  },
});

/** The group prices of the catalog; they came with the products, so nothing is read. */
const groupPrices: PriceResolver = {
  code: 'customer_group',
  async resolve({ products, groupId, websiteId, currencyCode }) {
    const buyer = { groupId, websiteId, coin: coinOf(currencyCode) };
    return new Map(
      products.flatMap((product) => {
        const price = groupPrice(product, buyer);
        return price ? [[product.sku, price] as const] : [];
      }),
    );
  },
};

interface PriceServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
}

/** The highest price shown. */
const highest = 10_000_000_000;

const mostSteps = 100;

/** In bytes: the size of an answer apart from its products, and per product. */
const longestHead = 4 * 1024;

const longestProduct = 8 * 1024;

const amountText = z.string().transform((text, context): Amount => {
  const value = parseAmount(text);
  if (value !== undefined && value >= 0 && value / 10_000 <= highest) return value;
  context.addIssue('no price');
  return z.NEVER;
});

const quantityText = z.string().transform((text, context): Quantity => {
  const value = parseQuantity(text);
  if (value !== undefined && value > 0) return value;
  context.addIssue('no quantity');
  return z.NEVER;
});

const answer = z.object({
  customer_id: z.int(),
  currency: z.string(),
  prices: z.array(
    z.object({
      sku: z.string().min(1).max(64),
      steps: z
        .array(z.object({ qty: quantityText, price: amountText }))
        .min(1)
        .max(mostSteps),
    }),
  ),
});

/**
 * Contract prices of an outside service, over HTTP (the protocol is our choice): one call for any number of SKUs.
 *
 * Its answer is checked. With another customer or currency, a price for a SKU that was not asked for, or an
 * unreadable body, the whole answer is refused.
 */
export const createPriceService = (settings: PriceServiceSettings): PriceResolver => ({
  code: 'price_service',
  async resolve(question) {
    const { customerId, websiteId, currencyCode, products, deadline } = question;
    const reply = await postJson({
      ...settings,
      path: '/v1/prices',
      body: {
        customer_id: customerId,
        website_id: websiteId,
        currency: currencyCode,
        skus: products.map(({ sku }) => sku),
      },
      timeoutMs: deadline.getTime() - Date.now(),
      longestAnswer: longestHead + products.length * longestProduct,
    });
    return pricesIn(reply, question);
  },
});

function pricesIn(reply: JsonAnswer, { customerId, currencyCode, products }: PriceQuestion) {
  if ('failure' in reply) throw new Error(`The price service ${reply.failure}.`);
  const read = reply.status === 200 ? answer.safeParse(reply.body).data : undefined;
  if (read?.customer_id !== customerId || read.currency !== currencyCode)
    throw new Error(`The price service answered ${reply.status} with something unreadable.`);
  const request = new Map(products.map((product) => [skuKey(product.sku), product]));
  return new Map(
    read.prices.map(({ sku, steps }) => {
      const product = request.get(skuKey(sku));
      const price = product && contractPrice(product.price, steps);
      if (!price) throw new Error('The price service answered a price that was not asked for.');
      return [product.sku, price] as const;
    }),
  );
}

/**
 * The price resolvers, in the order in which they are asked (spec 4.5): the first price found counts. A module for
 * companies would register between the group's and the contracts' resolvers.
 */
export const createPrices = ({
  orm,
  service,
}: {
  orm: MikroORM;
  service: PriceServiceSettings | undefined;
}): readonly PriceResolver[] => [
  groupPrices,
  createContractPrices(orm),
  ...(service === undefined ? [] : [createPriceService(service)]),
];

/** The customer whose limit is asked for. */
export interface LimitQuestion {
  customerId: number;
  websiteId: number;
  /** The store whose settings apply. */
  storeId: number;
  standing: CreditStanding;
}

/** Returns a customer's credit limit; undefined passes the question to the next resolver. */
export interface CreditLimitResolver {
  /** A stable code, answered as `source`. */
  source: string;
  /** In the website's base currency. A resolver that throws is not skipped: another's limit would be wrong. */
  limitOf(question: LimitQuestion): Promise<Amount | undefined> | Amount | undefined;
}

export interface ResolvedLimit {
  limit: Amount;
  source: string;
}

/** The resolvers of a customer's credit limit, in order of registration: the first answer counts (spec 4.5). */
export interface CreditLimits {
  resolve(question: LimitQuestion): Promise<ResolvedLimit>;
}

/** The customer's own limit, then the limit of the customer's group. */
export const createCreditLimits = ({ orm }: { orm: MikroORM }): CreditLimits =>
  creditLimitsOf([
    { source: 'customer', limitOf: ({ standing }) => standing.ownLimit ?? undefined },
    {
      source: 'customer_group',
      async limitOf({ standing, storeId }) {
        const text = await readStoreSetting(orm.em.fork(), 'vendor_pos_advanced/credit_limits/groups', storeId);
        return groupLimits(text)?.get(standing.groupId);
      },
    },
  ]);

/** For tests and for other resolvers. Without any answer the limit is 0: no credit is granted. */
export const creditLimitsOf = (resolvers: readonly CreditLimitResolver[]): CreditLimits => ({
  async resolve(question) {
    for (const resolver of resolvers) {
      const limit = await resolver.limitOf(question);
      if (limit !== undefined) return { limit, source: resolver.source };
    }
    return { limit: zero, source: 'none' };
  },
});
