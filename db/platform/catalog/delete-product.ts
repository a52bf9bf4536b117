import { type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { flag, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockProduct } from './lock-product.ts';
import { forgetLinksTo } from './product-links.ts';

/**
 * Deletes a product with its stock, and takes it out of carts, wish lists and links of products; orders and their documents keep its
 * data (platform facts 9.1). A repeat finds nothing.
 *
 * Refused with: 404 unknown sku · 400 it is reserved for an order that is not shipped: its stock must still move.
 */
export const deleteProduct = (em: EntityManager, given: string): Promise<void> =>
  transact(em, async (tx) => {
    const { sku } = await lockProduct(tx, given);
    // A transaction that reserves the product locks it until the commit (`reserve`, `prepareOrder`). One that sells
    // the last piece now holds its stock row, and its reservation is committed before the check below.
    await lockShelves.all(tx, { sku });
    const promised = await isPromised.first(tx, { sku });
    if (promised?.isSaid) throw invalid(`The "%1" product couldn't be removed.`, [sku]);
    await clearShelves.run(tx, { sku });
    await forgetLinksTo(tx, sku);
    await remove.run(tx, { sku });
  });

const lockShelves = statement({
  takes: { sku: text },
  gives: { sourceCode: text },
  text: 'select source_code from inventory_source_item where sku = $sku order by source_code for update',
});

const isPromised = statement({
  takes: { sku: text },
  gives: { isSaid: flag },
  text: `
    select exists (
      select from inventory_stock s where (
        select sum(r.quantity) from inventory_reservation r where r.stock_id = s.stock_id and r.sku = $sku) <> 0
    ) as is_said`,
});

const remove = statement({ takes: { sku: text }, text: 'delete from product where sku = $sku' });

const clearShelves = statement({
  takes: { sku: text },
  text: 'delete from inventory_source_item where sku = $sku',
});
