import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { money } from '../../../domain/money.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';
import { countOf } from './count-of.ts';

const longestWaitMs = 120_000;
const scheduledEveryMs = 3_000;

/** What the schedule does every five minutes; the matrix, which holds the schedule, cannot wait for that. */
const runAsScheduled = ({ client, taskQueue }: Lane) =>
  client.workflow.start('reindexCatalogRules', { taskQueue, workflowId: `reindex-${randomUUID()}`, args: [] });

interface Feed {
  indexed_at: string | null;
  items: { product_id: number; customer_group_id: number; rule_price: number }[];
}

const feedOf = async (lane: Lane): Promise<Feed> =>
  (await lane.teller.press('GET', '/V1/pos/catalog-rule-prices?websiteId=1')).body;

async function aProduct(lane: Lane): Promise<{ sku: string; productId: number }> {
  const em = lane.orm.em.fork();
  const sku = `CRASH-${randomUUID()}`;
  const product = em.create(Product, { attributeSetId: 4, sku, name: 'Crash', price: money('100'), websiteIds: [1] });
  await em.flush();
  return { sku, productId: product.entityId };
}

/**
 * Reads the feed until the product costs so much everywhere in it; undefined: until it is not in it. Answers the one
 * after that.
 */
async function untilItCosts(lane: Lane, productId: number, price: number | undefined): Promise<Feed> {
  let scheduledAt = Date.now() + scheduledEveryMs;
  for (const until = Date.now() + longestWaitMs; Date.now() < until; await pause(100)) {
    const feed = await feedOf(lane);
    const prices = new Set(feed.items.filter((row) => row.product_id === productId).map((row) => row.rule_price));
    // The moment of a feed is read before its rows: it may be older than they are.
    if (prices.size === (price === undefined ? 0 : 1) && (price === undefined || prices.has(price)))
      return feedOf(lane);
    if (Date.now() < scheduledAt) continue;
    await runAsScheduled(lane);
    scheduledAt = Date.now() + scheduledEveryMs;
  }
  throw new Error(`product ${productId} did not come to ${price ?? 'its own price'} within ${longestWaitMs / 1000} s`);
}

/** Of moments as the feed writes them. */
const isRising = (moments: readonly string[]) =>
  moments.length === 3 && moments.every((moment, at) => moment > (moments[at - 1] ?? ''));

/**
 * A promotion begins, becomes another and ends: registers see each, in order, whatever died over working the prices
 * out.
 */
export const reindexPrices: CrashFlow = {
  id: 'F30',
  isAlone: true,
  title: 'begin a promotion, change it, end it; prices follow',
  processes: ['api', 'worker'],
  async prepare(lane) {
    const { sku, productId } = await aProduct(lane);
    const condition = { attribute: 'sku', operator: 'is_one_of', values: [sku] };
    const rule = { name: sku, simple_action: 'by_percent', discount_amount: 10, conditions: [condition] };
    const headers = { 'idempotency-key': randomUUID() };
    const moments: string[] = [];
    return {
      async go() {
        const begun = await lane.teller.press('POST', '/V1/catalogRules', { rule }, headers);
        moments.push((await untilItCosts(lane, productId, 90)).indexed_at ?? '');
        const path = `/V1/catalogRules/${begun.body.rule_id}`;
        await lane.teller.press('PUT', path, { rule: { discount_amount: 25 } });
        moments.push((await untilItCosts(lane, productId, 75)).indexed_at ?? '');
        await lane.teller.press('DELETE', path);
        moments.push((await untilItCosts(lane, productId, undefined)).indexed_at ?? '');
      },
      faults: async () => [
        ...unlessEqual('each moment is after the one before', isRising(moments), true),
        ...unlessEqual('rules left', await countOf(lane, 'from catalog_rule where name = ?', sku), 0),
        ...unlessEqual(
          'prices left',
          await countOf(lane, 'from catalog_rule_price where product_id = ?', productId),
          0,
        ),
      ],
      workflows: () => [],
    };
  },
};
