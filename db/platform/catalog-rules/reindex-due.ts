import type { EntityManager } from '@mikro-orm/postgresql';
import { count, integer, surely } from '../../support/kinds.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { writePrices } from './write-prices.ts';

export interface Reindexed {
  /** How many products were recalculated. */
  products: number;
  /** How many prices changed. */
  changed: number;
  /** Nothing more is due. */
  isDone: boolean;
}

/**
 * Recalculates prices of the listed products, at most so many, and takes them off the list, in one transaction.
 *
 * One batch at a time: two concurrent batches could leave the older price. A product that changes meanwhile is listed
 * again and comes with the next batch. A repeat, or a crash before the commit, finds the same work.
 */
export const reindexDue = (em: EntityManager, { limit }: { limit: number }): Promise<Reindexed> =>
  transact(em, async (tx) => {
    await lockAdvisory(tx, 'catalog rule prices');
    const isSpread = (await spread.run(tx)) > 0;
    const productIds = (await take.all(tx, { limit })).map(({ productId }) => productId);
    if (productIds.length === 0) return { products: 0, changed: 0, isDone: !isSpread };
    const changed = await writePrices(tx, productIds);
    const left = await stillDue.first(tx);
    return { products: productIds.length, changed, isDone: left?.due === 0 };
  });

/**
 * Replaces "every product" by each product, including deleted ones that still have prices; no product is listed
 * twice.
 */
const spread = statement({
  takes: {},
  text: `
    with every as (delete from catalog_rule_due where product_id is null returning 1),
    doubled as (delete from catalog_rule_due where product_id is not null and exists (select from every) returning 1)
    insert into catalog_rule_due (product_id)
    select product_id from (
      select entity_id as product_id from product union select product_id from catalog_rule_price) as known
    where exists (select from every) order by product_id`,
});

const take = statement({
  takes: { limit: integer },
  gives: { productId: surely(integer) },
  text: `
    with taken as (
      delete from catalog_rule_due where due_id in (
        select due_id from catalog_rule_due where product_id is not null order by due_id limit $limit)
      returning product_id)
    select distinct product_id from taken order by product_id`,
});

const stillDue = statement({
  takes: {},
  gives: { due: count },
  text: `select count(*) as due from (select from catalog_rule_due limit 1) as first_one`,
});
